#include "realtime/stall_judge.h"

namespace hyperscale::realtime {

StallVerdict StallJudge::judge(std::size_t reader, const PinView& pin, MonoTime now) {
  Case& open = cases_[reader];
  if (!pin.is_pinned()) {
    open = Case{};
    return StallVerdict::kFine;
  }
  if (open.sequence != pin.sequence) open = Case{.sequence = pin.sequence, .cancelled_at = {}, .forced = false};
  if (open.forced || held(pin, now) <= hold_) return StallVerdict::kFine;
  if (!open.cancelled_at) {
    open.cancelled_at = now;
    return StallVerdict::kCancel;
  }
  if (now - *open.cancelled_at < grace_) return StallVerdict::kFine;
  open.forced = true;
  return StallVerdict::kForceUnpin;
}

bool StallJudge::is_overridden(std::size_t reader, const PinView& pin) const {
  const Case& open = cases_[reader];
  return open.forced && pin.is_pinned() && open.sequence == pin.sequence;
}

}  // namespace hyperscale::realtime
