#include "report/latency_bands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace hyperscale::report {
namespace {

// Borders inside one decade, from fine to coarse.
constexpr std::array<double, 18> kFine{1, 1.1, 1.2, 1.4, 1.6, 1.8, 2, 2.3, 2.6, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9};
constexpr std::array<double, 9> kMedium{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 7};
constexpr std::array<double, 6> kHalf{1, 1.5, 2, 3, 5, 7};
constexpr std::array<double, 3> kCoarse{1, 2, 5};
constexpr std::array<double, 1> kDecades{1};
constexpr std::array<std::span<const double>, 5> kLadders{kFine, kMedium, kHalf, kCoarse, kDecades};

// Below this ratio equal steps are easier to read than growing ones.
constexpr double kEqualStepsRatioMax = 3;

Duration border(double ns) {
  return Duration(std::llround(ns));
}

std::vector<Duration> equal_steps(double low_ns, double high_ns) {
  double step = 1;
  for (int i = 0; std::floor(high_ns / step) - std::floor(low_ns / step) + 1 > kLatencyBandsMax; ++i)
    step *= i % 3 == 1 ? 2.5 : 2;
  std::vector<Duration> borders;
  const double first = std::floor(low_ns / step);
  for (double i = first; borders.empty() || static_cast<double>(borders.back().count()) <= high_ns; ++i)
    borders.push_back(border(i * step));
  return borders;
}

// The last border at or below `low_ns`, and all others up to the first above `high_ns`.
std::vector<Duration> growing_steps(double low_ns, double high_ns, std::span<const double> ladder) {
  std::vector<Duration> borders;
  for (double decade = std::pow(10, std::floor(std::log10(low_ns)));; decade *= 10) {
    for (const double rung : ladder) {
      const double value = decade * rung;
      if (value <= low_ns) borders.clear();
      borders.push_back(border(value));
      if (value > high_ns) return borders;
    }
  }
}

std::vector<Duration> borders_between(Duration low, Duration high) {
  const auto low_ns = static_cast<double>(std::max(low, kHistogramUnit).count());
  const auto high_ns = std::max(low_ns, static_cast<double>(high.count()));
  if (high_ns / low_ns < kEqualStepsRatioMax) return equal_steps(low_ns, high_ns);
  std::vector<Duration> borders;
  for (const std::span<const double> ladder : kLadders) {
    borders = growing_steps(low_ns, high_ns, ladder);
    if (borders.size() <= kLatencyBandsMax + 1) break;
  }
  return borders;
}

}  // namespace

std::vector<LatencyBand> latency_bands(const SparseHistogram& histogram) {
  if (histogram.empty()) return {};
  const std::vector<Duration> borders =
      borders_between(histogram.min(), std::min(histogram.value_at_percentile(99), kHistogramMax));
  std::vector<LatencyBand> bands;
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) bands.push_back({borders[i], borders[i + 1]});
  bands.push_back({borders.back(), Duration::max(), 0, true});
  if (histogram.min() < bands.front().low) bands.front().low = Duration::zero();
  std::size_t at = 0;
  histogram.for_each_bucket([&](const SparseHistogram::Bucket& bucket) {
    while (bucket.range.low >= bands[at].high) ++at;
    bands[at].count += bucket.count;
  });
  bands.back().high = histogram.max() + Duration(1);
  if (bands.back().count == 0) bands.pop_back();
  return bands;
}

}  // namespace hyperscale::report
