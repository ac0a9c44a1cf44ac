#include "node/run/threshold_watch.h"

#include <algorithm>

namespace hyperscale::node {

ThresholdWatch::ThresholdWatch(const std::vector<results::RunThreshold>& thresholds) : thresholds_(thresholds) {
  std::erase_if(thresholds_, [](const results::RunThreshold& each) { return !each.abort_on_fail; });
}

bool ThresholdWatch::is_due(Duration at) {
  const auto over = [at](const results::RunThreshold& each) { return at >= each.delay; };
  if (at < next_ || std::ranges::none_of(thresholds_, over)) return false;
  next_ = (at / kThresholdInterval + 1) * kThresholdInterval;
  return true;
}

std::optional<results::Verdict> ThresholdWatch::failed(const results::RunResult& so_far, Duration at) const {
  for (const results::RunThreshold& each : thresholds_) {
    if (at < each.delay) continue;
    results::Verdict verdict = each.threshold.judge(so_far);
    if (verdict.measured && !verdict.passed) return verdict;
  }
  return std::nullopt;
}

}  // namespace hyperscale::node
