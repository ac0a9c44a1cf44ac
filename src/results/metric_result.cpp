#include "results/metric_result.h"

#include "base/check.h"
#include "results/saturating.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace hyperscale::results {
namespace {

constexpr double kMillion = 1e6;
constexpr double kTrendSteps = 1000;  // steps per 1.0

// Modular, so that sums do not depend on the order, even with corrupt shares.
__int128 wrapping_add(__int128 a, __int128 b) {
  using Wide = unsigned __int128;
  return static_cast<__int128>(static_cast<Wide>(a) + static_cast<Wide>(b));
}

}  // namespace

std::string_view name(MetricKind kind) {
  switch (kind) {
    case MetricKind::kCounter:
      return "counter";
    case MetricKind::kGauge:
      return "gauge";
    case MetricKind::kRate:
      return "rate";
    case MetricKind::kTrend:
      return "trend";
  }
  UNREACHABLE("a kind of metric that does not exist");
}

Duration trend_bucket(double value) {
  const double steps = std::round(std::clamp(value, 0.0, kMetricValueMax) * kTrendSteps);
  // kMetricValueMax in thousandths is close to the 64-bit limit, and far above the histogram's maximum.
  const double most = static_cast<double>(kHistogramMax.count()) * 2;
  return kHistogramUnit + Duration(static_cast<std::int64_t>(std::min(steps, most)));
}

double MetricResult::sum() const {
  return static_cast<double>(sum_millionths) / kMillion;
}

double MetricResult::mean() const {
  return count == 0 ? 0 : sum() / static_cast<double>(count);
}

double MetricResult::percentile(double percentile) const {
  if (values.empty()) return 0;
  const Duration found = values.value_at_percentile(percentile) - kHistogramUnit;
  return std::min(std::max(static_cast<double>(found.count()) / kTrendSteps, min), max);
}

void add(CheckResult& to, const CheckResult& more) {
  to.passed = saturating_add(to.passed, more.passed);
  to.failed = saturating_add(to.failed, more.failed);
  // Between two examples any fixed rule is good enough.
  if (to.example.empty() || (!more.example.empty() && more.example < to.example)) to.example = more.example;
}

void add(MetricResult& to, const MetricResult& more) {
  to.min = to.count == 0 ? more.min : more.count == 0 ? to.min : std::min(to.min, more.min);
  to.max = to.count == 0 ? more.max : more.count == 0 ? to.max : std::max(to.max, more.max);
  if (std::tie(to.last_at, to.last) < std::tie(more.last_at, more.last)) {
    to.last_at = more.last_at;
    to.last = more.last;
  }
  to.count = saturating_add(to.count, more.count);
  to.nonzero = saturating_add(to.nonzero, more.nonzero);
  to.sum_millionths = wrapping_add(to.sum_millionths, more.sum_millionths);
  const Status merged = to.values.merge(more.values);
  CHECK(merged, "{}", merged.error().context);
}

}  // namespace hyperscale::results
