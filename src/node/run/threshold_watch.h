// ThresholdWatch: decides when thresholds that may end a run early are judged, and which one has failed. Pure: the time
// is handed in, as time since the counted part of the run began. One thread.
//
// A threshold that finds no figure yet has not failed: nothing may have been answered so far.
#pragma once

#include "base/time.h"
#include "results/threshold.h"

#include <optional>
#include <vector>

namespace hyperscale::node {

inline constexpr Duration kThresholdInterval = 1s;

class ThresholdWatch {
 public:
  // Those without abort_on_fail are left to whoever judges the end.
  explicit ThresholdWatch(const std::vector<results::RunThreshold>& thresholds);

  // Whether a result is to be judged now; true once per interval at most.
  bool is_due(Duration at);
  // The first that fails, of those whose delay has passed.
  std::optional<results::Verdict> failed(const results::RunResult& so_far, Duration at) const;

 private:
  std::vector<results::RunThreshold> thresholds_;
  Duration next_ = kThresholdInterval;
};

}  // namespace hyperscale::node
