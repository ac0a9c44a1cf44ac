// The rank behind every percentile: which of `count` sorted values, counted from 1, answers for a percentile.
//
// Pure function, safe on any thread. It is the nearest-rank definition, ceil(percentile / 100 * count), kept within
// 1..count; a percentile that is not a number answers as 0. REQUIRES: count > 0.
#pragma once

#include "base/check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace hyperscale {

inline std::uint64_t percentile_rank(double percentile, std::uint64_t count) {
  CHECK(count > 0, "no value has a rank");
  if (!(percentile > 0.0)) return 1;
  if (percentile >= 100.0) return count;
  // 99.9 has no exact binary form, so 99.9 % of 1000 can come out just above 999 and would be rounded up to 1000. The
  // slack is larger than the rounding of this expression and far smaller than the distance between two ranks.
  constexpr double kSlack = 4 * std::numeric_limits<double>::epsilon();
  const double rank = std::ceil(percentile / 100.0 * static_cast<double>(count) * (1.0 - kSlack));
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(rank), 1, count);
}

}  // namespace hyperscale
