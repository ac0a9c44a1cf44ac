// LoopWatch: when the timer of a loop is set to go off, and how late it went off: what the node takes for the lag of
// its loop. A wish for a time that has passed already means "at once" and is no lag; a wish that is still open stays,
// however often the timer is armed meanwhile.
//
//   timer.expires_at(watch.arm(core.next_wake(), now));
//   if (const auto late = watch.went_off(now)) tell_lag(*late);
//
// Plain value; one owner.
#pragma once

#include "base/time.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace hyperscale::node {

class LoopWatch {
 public:
  static constexpr Duration kPeriodMax = 100ms;  // it goes off at least this often, whatever is wished for
  static constexpr Duration kLateEnough = 50ms;  // less is the everyday scheduling of a machine

  MonoTime arm(MonoTime wanted, MonoTime now) {
    due_ = std::min(due_, std::clamp(wanted, now, now + kPeriodMax));
    return due_;
  }
  // How late it was, if that is worth telling. REQUIRES: armed.
  std::optional<Duration> went_off(MonoTime now) {
    const Duration late = now - std::exchange(due_, MonoTime::max());
    return late >= kLateEnough ? std::optional(late) : std::nullopt;
  }

  void disarm() { due_ = MonoTime::max(); }

 private:
  MonoTime due_ = MonoTime::max();
};

}  // namespace hyperscale::node
