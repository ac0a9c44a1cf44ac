// A coarse view of the exact histogram: every display bucket is 128 neighbouring buckets of histogram_buckets.h, so
// each doubling has eight. Its number follows from the exact one by a shift. All live percentiles come from these
// counts, so that every view of one moment has the same. Plain arithmetic; any thread.
#pragma once

#include "base/histogram/histogram_buckets.h"
#include "base/time.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace hyperscale {

inline constexpr int kDisplayShift = 7;
inline constexpr std::size_t kDisplayFirst = histogram_buckets::kFirst >> kDisplayShift;

constexpr std::size_t display_bucket(std::size_t exact) {
  return ((exact + histogram_buckets::kFirst) >> kDisplayShift) - kDisplayFirst;
}
inline constexpr std::size_t kDisplayBuckets = display_bucket(histogram_buckets::kCount - 1) + 1;
static_assert(kDisplayBuckets <= 256);

// The last exact bucket that it covers.
constexpr std::size_t last_exact_bucket(std::size_t display) {
  const std::size_t next = ((display + kDisplayFirst + 1) << kDisplayShift) - histogram_buckets::kFirst;
  return std::min(next, histogram_buckets::kCount) - 1;
}
static_assert(display_bucket(last_exact_bucket(3)) == 3 && display_bucket(last_exact_bucket(3) + 1) == 4);

using DisplayCounts = std::array<std::uint64_t, kDisplayBuckets>;

// The upper end of the bucket that holds the percentile: never below the exact figure and at most an eighth above it.
// Zero of nothing.
Duration percentile_of(const DisplayCounts& counts, double percentile);
// What came in between. REQUIRES: `earlier` is an earlier reading of the same.
DisplayCounts difference(const DisplayCounts& later, const DisplayCounts& earlier);

}  // namespace hyperscale
