// ThresholdWatch: decides when the thresholds of a run are judged while it goes on, how they stand, and whether one
// that may end the run has failed. Pure: the time is handed in, as time since the counted part of the run began. One
// thread.
//
// A threshold that finds no figure yet has not failed: nothing may have been answered so far.
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

  // Whether a result is to be judged now; true once per interval at most.
  bool is_due(Duration at);
  // How all of them stand, in their order.
  std::vector<results::Verdict> judge(const results::RunResult& so_far) const;
  // The first that ends the run: it has abort_on_fail and its delay has passed. REQUIRES: verdicts of judge().
  std::optional<results::Verdict> failed(std::span<const results::Verdict> verdicts, Duration at) const;

 private:
  std::vector<results::RunThreshold> thresholds_;
  Duration next_ = kThresholdInterval;
};

}  // namespace hyperscale::results
