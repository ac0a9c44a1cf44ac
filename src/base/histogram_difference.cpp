#include "base/histogram_difference.h"

#include <algorithm>
#include <vector>

namespace hyperscale {
namespace {

std::uint64_t less(std::uint64_t from, std::uint64_t by) {
  return from - std::min(from, by);
}

}  // namespace

LatencyHistogram histogram_difference(const LatencyHistogram& later, const LatencyHistogram& earlier) {
  std::vector<std::uint64_t> counts(histogram_buckets::kCount);
  later.for_each_bucket([&](const LatencyHistogram::Bucket& bucket) {
    counts[histogram_buckets::index_of(bucket.range.low)] = bucket.count;
  });
  earlier.for_each_bucket([&](const LatencyHistogram::Bucket& bucket) {
    std::uint64_t& count = counts[histogram_buckets::index_of(bucket.range.low)];
    count = less(count, bucket.count);
  });
  // Extremes that lie outside the buckets that gained are moved to their edges.
  LatencyHistogram::Totals totals;
  totals.sum_ns = later.sum_ns() - std::min(later.sum_ns(), earlier.sum_ns());
  totals.min = later.min();
  totals.max = later.max();
  totals.saturated = less(later.saturated(), earlier.saturated());
  return LatencyHistogram::from_parts(counts, totals);
}

}  // namespace hyperscale
