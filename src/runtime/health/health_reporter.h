// HealthReporter: periodically, and at once after a crash, reads the supervisor's view of all services, updates the
// readiness board and publishes to the bus.
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
  // Updates the board without publishing to the bus: for a receiver that lagged.
  void refresh();

 private:
  const Supervisor& supervisor_;
  ReadinessBoard& board_;
  Bus& bus_;
  std::function<Duration()> period_;
};

}  // namespace hyperscale::runtime
