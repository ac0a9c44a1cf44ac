#include "cluster/degradation.h"

#include "base/duration_text.h"

#include <algorithm>
#include <cmath>

namespace hyperscale::cluster {
namespace {

// Over how many probe intervals lag is averaged.
constexpr int kSmoothingIntervals = 5;
// Bounds the effect of a blocked loop: the ratio is normal again after about fourteen probe intervals.
constexpr double kLagRatioMax = 8;

Degradation by_health(std::uint32_t score) {
  if (score <= 2) return Degradation::kNormal;
  if (score <= 4) return Degradation::kElevated;
  if (score <= 6) return Degradation::kHigh;
  return score <= 7 ? Degradation::kSevere : Degradation::kCritical;
}

Degradation by_lag(double ratio) {
  if (ratio < 0.5) return Degradation::kNormal;
  if (ratio < 1) return Degradation::kElevated;
  if (ratio < 2) return Degradation::kHigh;
  return ratio <= 4 ? Degradation::kSevere : Degradation::kCritical;
}

}  // namespace

std::string_view name(Degradation level) {
  switch (level) {
    case Degradation::kNormal:
      return "normal";
    case Degradation::kElevated:
      return "elevated";
    case Degradation::kHigh:
      return "high";
    case Degradation::kSevere:
      return "severe";
    case Degradation::kCritical:
      break;
  }
  return "critical";
}

Degradation degradation_of(std::uint32_t health_score, double lag_ratio) {
  return std::max(by_health(health_score), by_lag(lag_ratio));
}

DegradationMeter::DegradationMeter(Duration probe_interval)
    : smoothing_s_(kSmoothingIntervals * seconds(probe_interval)) {}

void DegradationMeter::observe(Duration late, Duration period, MonoTime now) {
  if (period <= 0ns || late <= 0ns) return;
  // A turn weighs as much as the time that it took; turns can be asked for more often than once a period.
  const Duration took = observed_at_ == MonoTime() ? late + period : std::min(late + period, now - observed_at_);
  const double weight = 1 - std::exp(-seconds(took) / smoothing_s_);
  ratio_ = std::min(lag_ratio(now) + weight * seconds(late) / seconds(period), kLagRatioMax);
  observed_at_ = now;
}

double DegradationMeter::lag_ratio(MonoTime now) const {
  return ratio_ * std::exp(-seconds(now - observed_at_) / smoothing_s_);
}

}  // namespace hyperscale::cluster
