// Sums of counters that saturate instead of wrapping, so that the order of additions does not matter.
#pragma once

#include <concepts>
#include <limits>

namespace hyperscale::results {

template <std::unsigned_integral Number>
constexpr Number saturating_add(Number a, Number b) {
  constexpr Number kMax = std::numeric_limits<Number>::max();
  return b > kMax - a ? kMax : static_cast<Number>(a + b);
}

}  // namespace hyperscale::results
