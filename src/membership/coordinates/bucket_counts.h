// BucketCounts: how often a value was at most each of a few fixed bounds, as plain counts, for a core that may not
// depend on metrics.
//
//   BucketCounts<kSecondBounds> timeouts;
//   timeouts.add(5.25);
//
// Plain value. One count more than bounds: those above all. Counts grow only.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace hyperscale::membership {

inline constexpr std::array<double, 11> kMillisecondBounds{0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1'000};
inline constexpr std::array<double, 12> kSecondBounds{0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600};
inline constexpr std::array<double, 10> kFactorBounds{1, 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 8, 10};

template <const auto& Bounds>
struct BucketCounts {
  std::array<std::uint64_t, Bounds.size() + 1> counts = {};
  double sum = 0;

  void add(double value) {
    const auto place = std::lower_bound(Bounds.begin(), Bounds.end(), value);
    ++counts[static_cast<std::size_t>(std::distance(Bounds.begin(), place))];
    sum += value;
  }
  std::uint64_t total() const {
    std::uint64_t all = 0;
    for (const std::uint64_t count : counts) all += count;
    return all;
  }
  static constexpr const auto& bounds() { return Bounds; }
};

}  // namespace hyperscale::membership
