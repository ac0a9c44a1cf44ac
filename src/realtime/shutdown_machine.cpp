#include "realtime/shutdown_machine.h"

#include <algorithm>

namespace hyperscale::realtime {

ShutdownBudget ShutdownBudget::of(Duration tick, Duration max_epoch_hold) {
  const Duration quiesce = 2 * max_epoch_hold;
  const Duration room = kShutdownGoal - quiesce - kJoinBudget;
  const Duration drain = std::max(kDrainLeast, std::min(2 * tick, room));
  return ShutdownBudget{.drain = drain, .quiesce = quiesce, .join = kJoinBudget};
}

bool ShutdownMachine::begin(MonoTime now) {
  if (state_ != LifeState::kRunning) return false;
  enter(LifeState::kDraining, now);
  return true;
}

ShutdownMachine::Action ShutdownMachine::step(const View& view, MonoTime now) {
  const bool late = now >= deadline();
  switch (state_) {
    case LifeState::kRunning:
      return Action::kWait;
    case LifeState::kDraining:
      if (!view.engine_stopped && !late) return Action::kWait;
      enter(LifeState::kQuiescing, now);
      return view.engine_stopped ? Action::kQuiesce : Action::kAbandonTickAndQuiesce;
    case LifeState::kQuiescing:
      if (!view.readers_unpinned && !late) return Action::kWait;
      enter(LifeState::kDropped, now);
      return view.readers_unpinned ? Action::kJoin : Action::kForceUnpinAndJoin;
    case LifeState::kDropped:
      break;
  }
  if (!finished_ && !view.threads_exited && !late) return Action::kWait;
  if (!finished_) spent_[2] = now - entered_;
  finished_ = true;
  return Action::kDone;
}

MonoTime ShutdownMachine::deadline() const {
  switch (state_) {
    case LifeState::kRunning:
      return MonoTime::max();
    case LifeState::kDraining:
      return entered_ + budget_.drain;
    case LifeState::kQuiescing:
      return entered_ + budget_.quiesce;
    case LifeState::kDropped:
      break;
  }
  return entered_ + budget_.join;
}

std::array<std::uint64_t, 3> ShutdownMachine::phase_times_ms() const {
  std::array<std::uint64_t, 3> times{};
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<std::uint64_t>(spent_[i] / 1ms);
  return times;
}

void ShutdownMachine::enter(LifeState state, MonoTime now) {
  if (state_ == LifeState::kDraining) spent_[0] = now - entered_;
  if (state_ == LifeState::kQuiescing) spent_[1] = now - entered_;
  state_ = state;
  entered_ = now;
}

}  // namespace hyperscale::realtime
