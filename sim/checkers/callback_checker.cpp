#include "sim/checkers/callback_checker.h"

#include <fmt/format.h>

namespace hyperscale::sim {

void CallbackChecker::restarted(HostId observer) {
  reported_.erase(reported_.lower_bound({observer, 0}), reported_.lower_bound({observer + 1, 0}));
}

Finding CallbackChecker::up(HostId observer, HostId member, bool recovered) {
  Reported& told = reported_[{observer, member}];
  if (told.up) return fmt::format("machine {} is told that {} is up, and was told so before", observer, member);
  if (recovered && !told.ever_down) {
    return fmt::format("machine {} is told that {} is back, but never that it was gone", observer, member);
  }
  told.up = true;
  return std::nullopt;
}

Finding CallbackChecker::down(HostId observer, HostId member, std::uint64_t incarnation) {
  Reported& told = reported_[{observer, member}];
  if (!told.up && told.ever_down) {
    return fmt::format("machine {} is told twice that {} is down (incarnation {})", observer, member, incarnation);
  }
  if (!told.up) return fmt::format("machine {} is told that {} is down, but never that it was up", observer, member);
  if (told.ever_down && incarnation < told.down_incarnation) {
    return fmt::format("machine {} is told that {} died in incarnation {} after {}", observer, member, incarnation,
                       told.down_incarnation);
  }
  told.up = false;
  told.ever_down = true;
  told.down_incarnation = incarnation;
  return std::nullopt;
}

Finding CallbackChecker::seen(HostId observer, const SeenMember& member) const {
  const auto found = reported_.find({observer, member.host});
  const bool up = found != reported_.end() && found->second.up;
  const bool gone = member.state == SeenState::kDead || member.state == SeenState::kLeft;
  if (gone && up) return fmt::format("machine {} sees {} as dead and was not told", observer, member.host);
  if (member.state == SeenState::kAlive && !up) {
    return fmt::format("machine {} sees {} as alive and was {}", observer, member.host,
                       found != reported_.end() ? "last told that it is gone" : "never told that it is up");
  }
  return std::nullopt;
}

}  // namespace hyperscale::sim
