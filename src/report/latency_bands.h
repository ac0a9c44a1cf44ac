// LatencyBands: a latency distribution in a dozen rows with round borders, to be drawn as bars.
//
// Quantile aware: the rows cover minimum to p99 as finely as possible, and a last one covers the tail, so that a single
// slow request does not squeeze all other rows into one bar. Borders grow by equal steps if the values are close
// together, else by 1-2-5 or finer. Counts add up to all values; a value within 0.1 % of a border may count in the
// neighbouring row. Pure function, any thread.
#pragma once

#include "base/histogram/sparse_histogram.h"

#include <cstdint>
#include <vector>

namespace hyperscale::report {

inline constexpr std::size_t kLatencyBandsMax = 12;

struct LatencyBand {
  Duration low{};
  Duration high{};  // exclusive
  std::uint64_t count = 0;
  bool tail = false;  // from the last round border to the maximum, which is included
  bool operator==(const LatencyBand&) const = default;
};

// Empty for an empty histogram; at most kLatencyBandsMax rows and the tail.
std::vector<LatencyBand> latency_bands(const SparseHistogram& histogram);

}  // namespace hyperscale::report
