// The bucket scheme of LatencyHistogram as plain arithmetic, for code that keeps the counts elsewhere, such as in
// memory that another process reads.
#pragma once

#include "base/time.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace hyperscale {

inline constexpr Duration kHistogramUnit = 1us;
inline constexpr Duration kHistogramMax = 1h;

namespace histogram_buckets {

// A value of 2^(k+10) ns to 2^(k+11) ns is counted in steps of 2^k ns: its top 11 bits choose the bucket.
inline constexpr int kHalfBits = 10;
inline constexpr std::uint64_t kHalf = std::uint64_t{1} << kHalfBits;
inline constexpr std::uint64_t kUnitNs = kHistogramUnit.count();
inline constexpr std::uint64_t kMaxNs = kHistogramMax.count();

// Position in the endless log-linear sequence, in which the first 2048 values stand for themselves.
constexpr std::uint64_t position_of(std::uint64_t ns) {
  const int shift = std::max(0, static_cast<int>(std::bit_width(ns)) - kHalfBits - 1);
  return static_cast<std::uint64_t>(shift) * kHalf + (ns >> shift);
}

constexpr std::uint64_t low_of(std::uint64_t position) {
  if (position < 2 * kHalf) return position;
  const std::uint64_t shift = position / kHalf - 1;
  return (position % kHalf + kHalf) << shift;
}

// All positions below the unit share index 0.
inline constexpr std::uint64_t kFirst = position_of(kUnitNs) - 1;
inline constexpr std::size_t kCount = position_of(kMaxNs) - kFirst + 1;

static_assert(low_of(position_of(kUnitNs)) == kUnitNs);
static_assert(low_of(position_of(2048)) == 2048 && position_of(2049) == position_of(2048));
static_assert(kUnitNs >= 1000, "buckets of 1 ns are 0.1 % wide from 1000 ns on");

constexpr std::size_t index_of(Duration value) {
  const auto ns = static_cast<std::uint64_t>(std::clamp(value, Duration::zero(), kHistogramMax).count());
  return ns < kUnitNs ? 0 : position_of(ns) - kFirst;
}

}  // namespace histogram_buckets
}  // namespace hyperscale
