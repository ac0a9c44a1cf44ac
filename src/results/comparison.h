// Comparison: a result beside a baseline, metric by metric, with a word on whether it became better.
//
// A difference counts only where it is at least kChangeMin and, for latencies, at least kLatencyChangeMin: two runs of
// the same thing never give the same figures. Pure functions; any thread.
#pragma once

#include "base/time.h"
#include "results/run_result.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hyperscale::results {

// What is compared of a run; a baseline is read from the JSON of an earlier one.
struct Figures {
  double rate_per_s = 0;
  std::uint64_t requests = 0;
  std::uint64_t errors = 0;
  std::uint64_t redirected = 0;  // redirects that were followed; not among those that errors are a share of
  Duration p50{}, p90{}, p95{}, p99{}, p99_9{}, max{}, mean{};  // of duration
  bool operator==(const Figures&) const = default;
};
Figures figures_of(const RunResult& result);

inline constexpr double kChangeMin = 0.05;  // of the figure before
inline constexpr Duration kLatencyChangeMin = 100us;
inline constexpr double kErrorChangeMinPercent = 0.1;  // of the requests

enum class Change : std::uint8_t { kSame, kBetter, kWorse };
enum class ComparedUnit : std::uint8_t { kPerSecond, kPercent, kNanoseconds };

struct ComparisonRow {
  std::string_view metric;  // "rate", "errors", "p50", ..., "p99.9", "max", "mean"
  ComparedUnit unit = ComparedUnit::kNanoseconds;
  double before = 0;  // errors: percent of the requests
  double after = 0;
  std::optional<double> change_percent;  // of `before`; nothing when that is zero and `after` is not
  Change change = Change::kSame;
  bool operator==(const ComparisonRow&) const = default;
};

// Latencies are left out when one of both runs has no request, because there is nothing to hold side by side.
std::vector<ComparisonRow> compare(const Figures& before, const Figures& after);

std::string_view name(Change change);  // "same", "better", "worse"

}  // namespace hyperscale::results
