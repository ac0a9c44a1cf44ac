#include "jobs/active_time.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

namespace hyperscale::jobs {

void ActiveTime::pause(MonoTime at) {
  CHECK(!paused(), "paused twice");
  paused_at_ = at;
}

void ActiveTime::resume(MonoTime at) {
  CHECK(paused(), "not paused");
  const MonoTime from = std::exchange(paused_at_, MonoTime());
  if (at <= from) return;
  const Duration before =
      pauses_.empty() ? Duration::zero() : pauses_.back().before + (pauses_.back().to - pauses_.back().from);
  pauses_.push_back({from, at, before});
}

void ActiveTime::follow(bool is_paused, MonoTime at) {
  if (is_paused == paused()) return;
  if (is_paused) {
    pause(at);
  } else {
    resume(at);
  }
}

Duration ActiveTime::paused_until(MonoTime at) const {
  const Duration open = paused() && at > paused_at_ ? at - paused_at_ : Duration::zero();
  const auto next = std::ranges::upper_bound(pauses_, at, {}, &Pause::from);
  if (next == pauses_.begin()) return open;
  const Pause& last = *std::prev(next);
  return open + last.before + (std::min(at, last.to) - last.from);
}

Duration ActiveTime::paused_within(MonoTime from, MonoTime to) const {
  return to > from ? paused_until(to) - paused_until(from) : Duration::zero();
}

}  // namespace hyperscale::jobs
