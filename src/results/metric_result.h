// Results of scripts: checks that passed or failed, and custom metrics. Parts of a RunResult.
//
// Plain values; any thread. Values of a metric are numbers without a unit, within +-kMetricValueMax. Adding two shares
// is exact and independent of their order: therefore a sum is kept in whole millionths, and the last value of a gauge
// has a timestamp.
#pragma once

#include "base/histogram/sparse_histogram.h"
#include "base/time.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hyperscale::results {

inline constexpr std::size_t kCheckExampleBytesMax = 160;
inline constexpr double kMetricValueMax = 1e15;  // larger values are clamped

struct CheckResult {
  std::string name;
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
  std::string example = {};  // why one of them failed
  bool operator==(const CheckResult&) const = default;
};

enum class MetricKind : std::uint8_t {
  kCounter,  // the result is the sum
  kGauge,    // the result is the last value
  kRate,     // the result is the share of nonzero values
  kTrend,    // the result is the distribution
};
std::string_view name(MetricKind kind);  // "counter"

struct MetricResult {
  std::string name;
  MetricKind kind = MetricKind::kCounter;
  bool of_run = false;  // declared for a whole file: shared by workflows that run together
  std::uint64_t count = 0;
  std::uint64_t nonzero = 0;
  __int128 sum_millionths = 0;
  double min = 0;  // this and the next two: zero while `count` is zero
  double max = 0;
  double last = 0;
  Duration last_at{};      // monotonic clock of the machine that recorded `last`
  SparseHistogram values;  // of a trend, as trend_bucket() places them
  bool operator==(const MetricResult&) const = default;

  double sum() const;
  double mean() const;  // zero while empty
  // Of a trend: never too low, at most 0.2 % too high, below 1 at most a thousandth. Zero while empty.
  double percentile(double percentile) const;
};

// Maps a value to the histogram of a trend: a nanosecond represents a thousandth, and zero maps to the histogram's
// unit, the limit of its resolution. Negative values count as zero. REQUIRES: finite.
Duration trend_bucket(double value);

// Adds another share of the same check or metric. The sum of a metric wraps beyond 1.7e32.
void add(CheckResult& to, const CheckResult& more);
// REQUIRES that histograms have at most kHistogramCountMax values together.
void add(MetricResult& to, const MetricResult& more);

}  // namespace hyperscale::results
