// ShutdownMachine: the four states of a shutdown and the conditions to leave each.
//
//   Running -> Draining    the engine finishes its tick; ingress refuses
//   Draining -> Quiescing  the engine stopped, or its budget is spent; readers are cancelled, the request queue closes
//   Quiescing -> Dropped   all readers unpinned, or its budget is spent; threads are joined up to one common deadline
// Dropped is final, and finished once the threads were joined or detached.
// The whole takes at most total(): 300 ms with the default hold. Thread rule: one thread. Pure: time is passed in.
#pragma once

#include "base/time.h"

#include <array>
#include <cstdint>

namespace hyperscale::realtime {

inline constexpr Duration kDrainLeast = 33ms;  // two ticks at 60 a second
inline constexpr Duration kJoinBudget = 10ms;  // for all threads together
inline constexpr Duration kShutdownGoal = 300ms;

enum class LifeState : std::uint8_t { kRunning, kDraining, kQuiescing, kDropped };

struct ShutdownBudget {
  Duration drain;
  Duration quiesce;
  Duration join;

  // Drain: two ticks, shortened to keep the total within kShutdownGoal if the hold allows it. Quiesce: two holds.
  static ShutdownBudget of(Duration tick, Duration max_epoch_hold);
  Duration total() const { return drain + quiesce + join; }
};

struct ShutdownResult {
  std::array<std::uint64_t, 3> phase_times_ms{};  // drain, quiesce, join
  std::uint32_t stalled_workers = 0;
  std::uint32_t leaked_threads = 0;  // detached threads; in lockstep a caller that is still in step()
  std::uint64_t final_tick = 0;
  std::uint64_t commands_dropped = 0;

  bool clean() const { return stalled_workers == 0 && leaked_threads == 0; }
};

class ShutdownMachine {
 public:
  struct View {
    bool engine_stopped = false;
    bool readers_unpinned = false;
    bool threads_exited = false;
  };
  // What the driver must do now, at most one thing per step.
  enum class Action : std::uint8_t { kWait, kQuiesce, kAbandonTickAndQuiesce, kJoin, kForceUnpinAndJoin, kDone };

  explicit ShutdownMachine(ShutdownBudget budget) : budget_(budget) {}

  // False, without effect, if shutdown has already begun.
  bool begin(MonoTime now);
  Action step(const View& view, MonoTime now);

  LifeState state() const { return state_; }
  MonoTime deadline() const;
  std::array<std::uint64_t, 3> phase_times_ms() const;

 private:
  void enter(LifeState state, MonoTime now);

  ShutdownBudget budget_;
  LifeState state_ = LifeState::kRunning;
  bool finished_ = false;
  MonoTime entered_;
  std::array<Duration, 3> spent_{};
};

}  // namespace hyperscale::realtime
