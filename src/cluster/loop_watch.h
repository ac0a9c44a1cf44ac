// LoopWatch: when the timer of a loop is set to go off, how late it went off, and what of that a ClusterNode is told
// as the lag of its loop. A wish for a time that has passed already means "at once" and is no lag; a wish that is still
// open stays, however often the timer is armed meanwhile.
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
  static constexpr Duration kPeriodMax = 100ms;  // it goes off at least this often, whatever is wished for
  static constexpr Duration kLateEnough = 50ms;  // less is the everyday scheduling of a machine

  MonoTime arm(MonoTime wanted, MonoTime now) {
    due_ = std::min(due_, std::clamp(wanted, now, now + kPeriodMax));
    return due_;
  }
  void disarm() { due_ = MonoTime::max(); }
  // What is to be told about this turn. REQUIRES: armed.
  std::optional<Duration> went_off(MonoTime now) { return to_tell(now - std::exchange(due_, MonoTime::max())); }

  // Of a turn that was so late: each lag, and once that it is over (zero).
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
