// ThresholdWatch: decides when the thresholds of a run are judged while it runs, judges them, and detects whether one
// that may end the run has failed. Pure: time is passed in, relative to the start of counting. One thread.
//
// A threshold without a figure has not failed: there may be no answer so far.
#pragma once

#include "base/time.h"
#include "results/threshold.h"

#include <optional>
#include <span>
#include <vector>

namespace hyperscale::results {

inline constexpr Duration kThresholdInterval = 1s;

class ThresholdWatch {
 public:
  explicit ThresholdWatch(std::vector<results::RunThreshold> thresholds) : thresholds_(std::move(thresholds)) {}

  // True if a result must be judged now; at most once per interval.
  bool is_due(Duration at);
  // Verdicts on all thresholds, in their order.
  std::vector<results::Verdict> judge(const results::RunResult& so_far) const;
  // The first failed one with abort_on_fail whose delay has passed. REQUIRES: verdicts of judge().
  std::optional<results::Verdict> failed(std::span<const results::Verdict> verdicts, Duration at) const;

 private:
  std::vector<results::RunThreshold> thresholds_;
  Duration next_ = kThresholdInterval;
};

}  // namespace hyperscale::results
