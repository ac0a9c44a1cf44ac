#include "membership/detection/suspicion.h"

#include "base/check.h"
#include "membership/detection/scaled_duration.h"

#include <algorithm>
#include <cmath>

namespace hyperscale::membership {

Duration suspicion_timeout(SuspicionTimeouts timeouts, std::size_t confirmations, std::size_t confirmations_wanted) {
  if (confirmations_wanted == 0 || confirmations >= confirmations_wanted) return timeouts.min;
  const double share =
      std::log(static_cast<double>(confirmations) + 1) / std::log(static_cast<double>(confirmations_wanted) + 1);
  return std::max(timeouts.min, timeouts.max - scaled(timeouts.max - timeouts.min, share));
}

SuspicionTimeouts timeouts_in_cluster(SuspicionTimeouts configured, Duration k, std::size_t members,
                                      double health_multiplier) {
  CHECK(configured.min > 0ns && configured.min <= configured.max);
  const Duration by_size = scaled(k, std::log(static_cast<double>(std::max<std::size_t>(members, 1))));
  const Duration max = std::clamp(by_size, configured.min, configured.max);
  return {scaled(configured.min, health_multiplier), scaled(max, health_multiplier)};
}

std::size_t reachable_confirmations(std::size_t wanted, std::size_t members) {
  return std::min(wanted, members < 2 ? 0 : members - 2);
}

Suspicion::Suspicion(const Doubt& doubt)
    : incarnation_(doubt.incarnation),
      since_(doubt.since),
      timeouts_(doubt.timeouts),
      confirmations_wanted_(doubt.confirmations_wanted),
      voices_{doubt.from},
      deadline_(deadline_by_timeout()) {}

bool Suspicion::confirm(const wire::NodeAddress& from, MonoTime now, const DetectionMutations& mutations) {
  if (mutations.confirmations_postpone) deadline_ = std::max(deadline_, now + (deadline_by_timeout() - since_));
  const bool known = std::find(voices_.begin(), voices_.end(), from) != voices_.end();
  if ((known && !mutations.count_repeated_confirmers) || confirmations_ >= confirmations_wanted_) return false;
  if (!known) voices_.push_back(from);
  ++confirmations_;
  if (!mutations.confirmations_postpone) deadline_ = std::min(deadline_, deadline_by_timeout());
  return true;
}

void Suspicion::refit(SuspicionTimeouts timeouts, std::size_t confirmations_wanted) {
  timeouts_ = timeouts;
  confirmations_wanted_ = confirmations_wanted;
  deadline_ = std::min(deadline_, deadline_by_timeout());
}

bool Suspicion::shorten_to(MonoTime deadline) {
  if (deadline >= deadline_) return false;
  deadline_ = deadline;
  return true;
}

MonoTime Suspicion::deadline_by_timeout() const {
  return since_ + suspicion_timeout(timeouts_, confirmations_, confirmations_wanted_);
}

}  // namespace hyperscale::membership
