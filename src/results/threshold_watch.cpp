#include "results/threshold_watch.h"

#include "base/check.h"

namespace hyperscale::results {

bool ThresholdWatch::is_due(Duration at) {
  if (at < next_ || thresholds_.empty()) return false;
  next_ = (at / kThresholdInterval + 1) * kThresholdInterval;
  return true;
}

std::vector<results::Verdict> ThresholdWatch::judge(const results::RunResult& so_far) const {
  std::vector<results::Verdict> verdicts;
  verdicts.reserve(thresholds_.size());
  for (const results::RunThreshold& each : thresholds_) verdicts.push_back(each.threshold.judge(so_far));
  return verdicts;
}

std::optional<results::Verdict> ThresholdWatch::failed(std::span<const results::Verdict> verdicts, Duration at) const {
  CHECK(verdicts.size() == thresholds_.size(), "{} verdicts of {} thresholds", verdicts.size(), thresholds_.size());
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (!thresholds_[i].abort_on_fail || at < thresholds_[i].delay) continue;
    if (verdicts[i].measured && !verdicts[i].passed) return verdicts[i];
  }
  return std::nullopt;
}

}  // namespace hyperscale::results
