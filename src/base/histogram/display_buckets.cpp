#include "base/histogram/display_buckets.h"

#include "base/histogram/percentile_rank.h"

#include <numeric>

namespace hyperscale {

Duration percentile_of(const DisplayCounts& counts, double percentile) {
  const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  if (all == 0) return {};
  const std::uint64_t rank = percentile_rank(percentile, all);
  std::uint64_t seen = 0;
  std::size_t bucket = 0;
  for (; bucket + 1 < counts.size() && seen + counts[bucket] < rank; ++bucket) seen += counts[bucket];
  const std::uint64_t past = last_exact_bucket(bucket) + 1 + histogram_buckets::kFirst;
  return std::min(Duration(static_cast<std::int64_t>(histogram_buckets::low_of(past)) - 1), kHistogramMax);
}

DisplayCounts difference(const DisplayCounts& later, const DisplayCounts& earlier) {
  DisplayCounts out;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = later[i] - std::min(later[i], earlier[i]);
  return out;
}

}  // namespace hyperscale
