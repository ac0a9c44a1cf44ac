// LatencyBands: a latency distribution in a dozen rows with round borders, to be drawn as bars.
//
// Quantile aware: the rows cover minimum to p99 as finely as they can, and a last one takes the tail, so that a
// single slow request does not squeeze everything else into one bar. Borders grow by equal steps when the values lie
// close together, else by 1-2-5 or finer. Counts add up to all values; a value may count in the neighbouring row when
// it lies within 0.1 % of a border. Pure function, any thread.
#pragma once

#include "base/histogram/sparse_histogram.h"

#include <cstdint>
#include <vector>

namespace hyperscale::report {

inline constexpr std::size_t kLatencyBandsMax = 12;

struct LatencyBand {
  Duration low{};
  Duration high{};  // not included
  std::uint64_t count = 0;
  bool tail = false;  // reaches from the last round border to the maximum, which is included
  bool operator==(const LatencyBand&) const = default;
};

// Empty for an empty histogram; at most kLatencyBandsMax rows and the tail.
std::vector<LatencyBand> latency_bands(const SparseHistogram& histogram);

}  // namespace hyperscale::report
