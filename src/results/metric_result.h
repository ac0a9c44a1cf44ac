// What scripts counted: checks that passed or failed, and metrics of their own. Parts of a RunResult.
//
// Plain values; any thread. Values of a metric are numbers without a unit, within +-kMetricValueMax. Adding two shares
// loses nothing and is the same in any order: that is why a sum is kept in whole millionths, and why the last value of
// a gauge brings its moment along.
#pragma once

#include "base/histogram/sparse_histogram.h"
#include "base/time.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hyperscale::results {

inline constexpr std::size_t kCheckExampleBytesMax = 160;
inline constexpr double kMetricValueMax = 1e15;  // a larger one counts as this

struct CheckResult {
  std::string name;
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
  std::string example = {};  // why one of them failed
  bool operator==(const CheckResult&) const = default;
};

enum class MetricKind : std::uint8_t {
  kCounter,  // the sum counts
  kGauge,    // the last value counts
  kRate,     // the share of values that are not zero counts
  kTrend,    // the distribution counts
};
std::string_view name(MetricKind kind);  // "counter"

struct MetricResult {
  std::string name;
  MetricKind kind = MetricKind::kCounter;
  bool of_run = false;  // declared for a whole file: workflows that are run together have it in common
  std::uint64_t count = 0;
  std::uint64_t nonzero = 0;
  __int128 sum_millionths = 0;
  double min = 0;  // this and the next two are zero while count is
  double max = 0;
  double last = 0;
  Duration last_at{};      // monotonic clock of the machine that recorded `last`
  SparseHistogram values;  // of a trend, as trend_bucket() places them
  bool operator==(const MetricResult&) const = default;

  double sum() const;
  double mean() const;  // zero while empty
  // Of a trend: never too low, at most 0.2 % too high, by a thousandth at most below 1. Zero while empty.
  double percentile(double percentile) const;
};

// Where a value stands in the histogram of a trend: a nanosecond is a thousandth, and zero is at the histogram's unit,
// below which it does not look closely. A value below zero stands at zero. REQUIRES: finite.
Duration trend_bucket(double value);

// Adds another share of the same check or metric. The sum of a metric wraps beyond 1.7e32.
void add(CheckResult& to, const CheckResult& more);
// REQUIRES of histograms: no more than kHistogramCountMax values together.
void add(MetricResult& to, const MetricResult& more);

}  // namespace hyperscale::results
