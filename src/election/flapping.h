// FlappingDetector: too many changes of leader within a sliding window start a cooldown in which this node begins no
// election (LEAD-10). It still votes. Owned by Election; time is passed in.
#pragma once

#include "base/time.h"

#include <cstddef>
#include <deque>

namespace hyperscale::election {

class FlappingDetector {
 public:
  FlappingDetector(std::size_t changes_max, Duration window, Duration cooldown)
      : changes_max_(changes_max), window_(window), cooldown_(cooldown) {}

  // True when this change was one too many and the cooldown begins. Afterwards counting starts afresh.
  bool changed(MonoTime now) {
    while (!changes_.empty() && changes_.front() + window_ <= now) changes_.pop_front();
    changes_.push_back(now);
    if (changes_.size() <= changes_max_) return false;
    changes_.clear();
    until_ = now + cooldown_;
    return true;
  }
  bool cooling_down(MonoTime now) const { return now < until_; }
  MonoTime until() const { return until_; }

 private:
  std::size_t changes_max_;
  Duration window_;
  Duration cooldown_;
  std::deque<MonoTime> changes_;  // at most changes_max_ + 1
  MonoTime until_;
};

}  // namespace hyperscale::election
