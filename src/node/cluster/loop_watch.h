// LoopWatch: when the timer of a loop is set to go off, and how late it went off: what the node takes for the lag of
// its loop. A wish for a time that has passed already means "at once" and is no lag.
//
//   timer.expires_at(watch.arm(core.next_wake(), now));
//   if (const auto late = watch.late(now)) tell_lag(*late);     // when it goes off
//
// Plain value; one owner.
#pragma once

#include "base/time.h"

#include <algorithm>
#include <optional>

namespace hyperscale::node {

class LoopWatch {
 public:
  static constexpr Duration kPeriodMax = 100ms;  // it goes off at least this often, whatever is wished for
  static constexpr Duration kLateEnough = 50ms;  // less is the everyday scheduling of a machine

  MonoTime arm(MonoTime wanted, MonoTime now) {
    due_ = std::clamp(wanted, now, now + kPeriodMax);
    return due_;
  }
  std::optional<Duration> late(MonoTime now) const {
    const Duration late = now - due_;
    return late >= kLateEnough ? std::optional(late) : std::nullopt;
  }

 private:
  MonoTime due_;
};

}  // namespace hyperscale::node
