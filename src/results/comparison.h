// Comparison: compares a result with a baseline, metric by metric, and rates each change.
//
// A difference counts only if it is at least kChangeMin and, for latencies, at least kLatencyChangeMin: repeated runs
// never give identical figures. Pure functions; any thread.
#pragma once

#include "base/time.h"
#include "results/run_result.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hyperscale::results {

// The compared figures of a run; a baseline is read from the JSON of an earlier run.
struct Figures {
  double rate_per_s = 0;
  std::uint64_t requests = 0;
  std::uint64_t errors = 0;
  std::uint64_t redirected = 0;  // followed redirects; the base of the error rate excludes them
  Duration p50{}, p90{}, p95{}, p99{}, p99_9{}, max{}, mean{};  // percentiles and others of duration
  bool operator==(const Figures&) const = default;
};
Figures figures_of(const RunResult& result);

inline constexpr double kChangeMin = 0.05;  // relative to the figure before
inline constexpr Duration kLatencyChangeMin = 100us;
inline constexpr double kErrorChangeMinPercent = 0.1;  // of the requests

enum class Change : std::uint8_t { kSame, kBetter, kWorse };
enum class ComparedUnit : std::uint8_t { kPerSecond, kPercent, kNanoseconds };

struct ComparisonRow {
  std::string_view metric;  // "rate", "errors", "p50", ..., "p99.9", "max", "mean"
  ComparedUnit unit = ComparedUnit::kNanoseconds;
  double before = 0;  // errors: percent of the requests
  double after = 0;
  std::optional<double> change_percent;  // of `before`; nullopt when that is zero and `after` is not
  Change change = Change::kSame;
  bool operator==(const ComparisonRow&) const = default;
};

// Omits latencies if one of the runs has no request: there is nothing to compare.
std::vector<ComparisonRow> compare(const Figures& before, const Figures& after);

std::string_view name(Change change);  // "same", "better", "worse"

}  // namespace hyperscale::results
