// LoopWatch: due time of a loop's timer, its lateness, and the lag that is reported to ClusterNode. A requested time in
// the past means "at once" and is not lag; a pending request stays, however often the timer is armed meanwhile.
//
//   timer.expires_at(watch.arm(core.next_wake(), now));
//   if (const auto lag = watch.went_off(now)) core.step(LoopLag{*lag, LoopWatch::kPeriodMax}, now);
//
// Plain value; one owner.
#pragma once

#include "base/time.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace hyperscale::cluster {

class LoopWatch {
 public:
  static constexpr Duration kPeriodMax = 100ms;  // it fires at least this often
  static constexpr Duration kLateEnough = 50ms;  // less is normal scheduling delay

  MonoTime arm(MonoTime wanted, MonoTime now) {
    due_ = std::min(due_, std::clamp(wanted, now, now + kPeriodMax));
    return due_;
  }
  void disarm() { due_ = MonoTime::max(); }
  // The lag to report for this turn; none if not armed: a timer that was armed anew may still fire for the time before.
  std::optional<Duration> went_off(MonoTime now) { return to_tell(now - std::exchange(due_, MonoTime::max())); }

  // Reports each lag, and once the end of it (zero).
  std::optional<Duration> to_tell(Duration late) {
    const bool lags = late >= kLateEnough;
    if (!lags && !lagged_) return std::nullopt;
    lagged_ = lags;
    return lags ? late : Duration::zero();
  }

 private:
  MonoTime due_ = MonoTime::max();
  bool lagged_ = false;  // the last turn
};

}  // namespace hyperscale::cluster
