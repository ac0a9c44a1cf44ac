#include "base/histogram/display_histogram.h"

#include "base/check.h"
#include "base/histogram/percentile_rank.h"

#include <algorithm>
#include <cmath>

namespace hyperscale {
namespace {

// Lower edges of at most `buckets_max` buckets between both values, in equal ratios, each at a bucket border of the
// source.
std::vector<Duration> edges_between(Duration min, Duration max, std::size_t buckets_max) {
  std::vector<Duration> edges{LatencyHistogram::bucket_of(min).low};
  const Duration top = LatencyHistogram::bucket_of(max).high;
  // The logarithm needs a start above zero, and the source does not look below its unit.
  const double start_ns = static_cast<double>(std::max(edges.front(), kHistogramUnit).count());
  const double ratio = static_cast<double>(top.count()) / start_ns;
  for (std::size_t i = 1; i < buckets_max; ++i) {
    const double edge_ns = start_ns * std::pow(ratio, static_cast<double>(i) / static_cast<double>(buckets_max));
    const Duration edge = LatencyHistogram::bucket_of(Duration(std::llround(edge_ns))).low;
    if (edge > edges.back() && edge < top) edges.push_back(edge);
  }
  edges.push_back(top);
  return edges;
}

}  // namespace

DisplayHistogram::DisplayHistogram(const SparseHistogram& source, std::size_t buckets_max)
    : count_(source.count()), min_(source.min()), max_(source.max()), mean_(source.mean()) {
  CHECK(buckets_max >= 1 && buckets_max <= kDisplayBucketsMax, "{} buckets", buckets_max);
  if (source.empty()) return;
  const std::vector<Duration> edges = edges_between(min_, max_, buckets_max);
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) buckets_.push_back({{edges[i], edges[i + 1]}, 0});
  auto target = buckets_.begin();
  source.for_each_bucket([&](const Bucket& bucket) {
    while (!target->range.contains(bucket.range.low)) ++target;
    target->count += bucket.count;
  });
}

Duration DisplayHistogram::estimate_percentile(double percentile) const {
  if (count_ == 0) return Duration::zero();
  std::uint64_t left = percentile_rank(percentile, count_);
  for (const Bucket& bucket : buckets_) {
    if (left > bucket.count) {
      left -= bucket.count;
      continue;
    }
    const double share = static_cast<double>(left) / static_cast<double>(bucket.count);
    const double width_ns = static_cast<double>((bucket.range.high - bucket.range.low - Duration(1)).count());
    const Duration inside = bucket.range.low + Duration(std::llround(share * width_ns));
    return std::min(std::max(inside, min_), max_);
  }
  UNREACHABLE("{} of {} values are not in a bucket", left, count_);
}

}  // namespace hyperscale
