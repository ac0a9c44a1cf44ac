// DrainDriver: runs the DrainMachine against the real node. Events come from any thread; actions are carried out, in
// order, on the loop given, which is the main thread's own, so that no stuck task can block the shutdown.
#pragma once

#include "runtime/policy/drain_machine.h"

#include <functional>
#include <memory>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hyperscale::runtime {

namespace asio = boost::asio;

// Handlers of the machine's actions.
struct DrainDuties {
  std::function<void(DrainState)> on_state;  // before the actions of a step are carried out
  std::function<void(MonoTime deadline)> run_pre_drain;
  std::function<void()> signal_stop;
  std::function<void()> stop_ingress;
  std::function<void()> refuse_new_work;
  std::function<void()> close_work_queue;
  std::function<void()> abort_stragglers;
  std::function<void()> stop_metrics;
  std::function<void(bool clean)> exit;
};

class DrainDriver : public std::enable_shared_from_this<DrainDriver> {
 public:
  // REQUIRES: `loop` runs one handler at a time.
  DrainDriver(asio::any_io_executor loop, DrainLimits limits, DrainDuties duties);

  void post(DrainEvent event);
  // Takes effect while the machine still runs; ignored once a shutdown was requested.
  void set_limits(DrainLimits limits);

 private:
  void step(const DrainEvent& event);
  void carry_out(const DrainAction& action);

  asio::any_io_executor loop_;
  asio::steady_timer timer_;
  DrainMachine machine_;
  DrainDuties duties_;
};

}  // namespace hyperscale::runtime
