#include "realtime/shutdown.h"

#include "realtime/world_core.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::realtime {
namespace {

constexpr Duration kPoll = 1ms;

class Driver {
 public:
  Driver(WorldCore& core, Ingress::Gate reason)
      : core_(core),
        reason_(reason),
        machine_(ShutdownBudget::of(core.config.tick_period(), core.config.epoch_config.max_epoch_hold)) {}

  ShutdownResult run() {
    machine_.begin(core_.config.clock());
    // No tick begins after a command was refused.
    core_.board.stop(TickBoard::Ticking::kShutDown);
    core_.threads.close();
    core_.stop_engine();
    refuse_commands();
    for (;;) {
      const std::uint64_t seen = core_.threads.changes();
      const MonoTime now = core_.config.clock();
      const auto action = machine_.step(view(), now);
      if (action == ShutdownMachine::Action::kDone) break;
      if (action == ShutdownMachine::Action::kWait) {
        core_.threads.wait_for_change(seen, std::clamp(machine_.deadline() - now, Duration(0), kPoll));
      } else {
        act(action);
      }
    }
    join();
    result_.phase_times_ms = machine_.phase_times_ms();
    result_.final_tick = core_.store.current();
    return result_;
  }

 private:
  ShutdownMachine::View view() const {
    return {.engine_stopped = core_.engine_stopped(),
            .readers_unpinned = core_.readers_unpinned(),
            .threads_exited = core_.threads.all_exited()};
  }

  void act(ShutdownMachine::Action action) {
    switch (action) {
      case ShutdownMachine::Action::kAbandonTickAndQuiesce:
        log("drain timeout: the tick in progress is abandoned");
        core_.gate.close();
        drop_commands();
        quiesce();
        break;
      case ShutdownMachine::Action::kQuiesce:
        core_.gate.close();
        drop_commands();
        quiesce();
        break;
      case ShutdownMachine::Action::kForceUnpinAndJoin:
        override_pinned();
        break;
      case ShutdownMachine::Action::kJoin:
      case ShutdownMachine::Action::kWait:
      case ShutdownMachine::Action::kDone:
        break;
    }
  }

  void quiesce() {
    core_.observer.cancel_all();
    core_.pool.close();
  }

  // New commands are refused at once, queued ones are not applied. The tick in progress keeps its batch.
  void refuse_commands() { result_.commands_dropped += core_.ingress.refuse(reason_, core_.place()); }
  // After draining: also answers the batch of a tick that hangs.
  void drop_commands() { result_.commands_dropped += core_.ingress.close(reason_, core_.place()); }

  void override_pinned() {
    for (std::size_t reader = 0; reader < core_.config.readers(); ++reader) {
      const PinView pin = core_.store.workers()[reader].view();
      if (!pin.is_pinned()) continue;
      log(fmt::format("worker {} is still pinned to epoch {}: force-unpinned", reader, pin.epoch));
      core_.pool.answer_stalled(reader, pin.sequence, ObsErrorKind::kWorkerStalled);
      ++result_.stalled_workers;
    }
  }

  void join() {
    for (const std::string& name : core_.threads.join_or_detach()) {
      log(fmt::format("thread {} did not end in time: detached", name));
      ++result_.leaked_threads;
    }
    if (core_.config.mode == Mode::kLockstep && !core_.engine_stopped()) {
      log("a caller is still in its step");
      ++result_.leaked_threads;
    }
  }

  void log(std::string_view text) const {
    if (core_.config.log) core_.config.log(LogLevel::kError, text);
  }

  WorldCore& core_;
  Ingress::Gate reason_;
  ShutdownMachine machine_;
  ShutdownResult result_;
};

}  // namespace

ShutdownResult shut_down(WorldCore& core, Ingress::Gate reason) {
  return Driver(core, reason).run();
}

}  // namespace hyperscale::realtime
