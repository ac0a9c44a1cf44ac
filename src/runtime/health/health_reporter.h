// HealthReporter: at a steady pace, and at once after a crash, takes the supervisor's view of all services, brings the
// readiness board up to date and tells the bus.
#pragma once

#include "runtime/channel/bus.h"
#include "runtime/health/readiness_board.h"
#include "runtime/task/stop_signal.h"
#include "runtime/task/supervisor.h"

#include <functional>

#include <boost/asio/awaitable.hpp>

namespace hyperscale::runtime {

class HealthReporter {
 public:
  HealthReporter(const Supervisor& supervisor, ReadinessBoard& board, Bus& bus, std::function<Duration()> period);

  // Reports every period until stop.
  asio::awaitable<void> run(StopToken stop);
  // Brings the board up to date without telling the bus: what a receiver that lagged does to catch up.
  void refresh();

 private:
  const Supervisor& supervisor_;
  ReadinessBoard& board_;
  Bus& bus_;
  std::function<Duration()> period_;
};

}  // namespace hyperscale::runtime
