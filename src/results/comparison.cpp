#include "results/comparison.h"

#include "base/check.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hyperscale::results {
namespace {

struct Latency {
  std::string_view metric;
  Duration Figures::* value;
};

constexpr std::array kLatencies{Latency{"p50", &Figures::p50},     Latency{"p90", &Figures::p90},
                                Latency{"p95", &Figures::p95},     Latency{"p99", &Figures::p99},
                                Latency{"p99.9", &Figures::p99_9}, Latency{"max", &Figures::max},
                                Latency{"mean", &Figures::mean}};

// Minimum difference of a figure in this unit, in addition to kChangeMin.
double distance_min(ComparedUnit unit) {
  switch (unit) {
    case ComparedUnit::kPerSecond:
      return 0;
    case ComparedUnit::kPercent:
      return kErrorChangeMinPercent;
    case ComparedUnit::kNanoseconds:
      return static_cast<double>(kLatencyChangeMin.count());
  }
  UNREACHABLE("unit {}", static_cast<int>(unit));
}

ComparisonRow row_of(std::string_view metric, ComparedUnit unit, double before, double after) {
  ComparisonRow row{
      .metric = metric, .unit = unit, .before = before, .after = after, .change_percent = {}, .change = Change::kSame};
  const double distance = std::abs(after - before);
  if (before != 0) {
    row.change_percent = 100 * (after - before) / before;
  } else if (after == 0) {
    row.change_percent = 0;
  }
  if (distance == 0 || distance < kChangeMin * before || distance < distance_min(unit)) return row;
  const bool more_is_better = unit == ComparedUnit::kPerSecond;
  row.change = (after > before) == more_is_better ? Change::kBetter : Change::kWorse;
  return row;
}

double error_percent(const Figures& figures) {
  const std::uint64_t concluded = figures.requests - std::min(figures.requests, figures.redirected);
  if (concluded == 0) return 0;
  return 100 * static_cast<double>(figures.errors) / static_cast<double>(concluded);
}

}  // namespace

Figures figures_of(const RunResult& result) {
  const Counts counts = result.total_counts();
  const SparseHistogram duration = result.total_series().duration;
  return {.rate_per_s = result.rate_per_s(),
          .requests = counts.requests(),
          .errors = counts.errors(),
          .redirected = counts.outcomes[static_cast<std::size_t>(Outcome::kRedirected)],
          .p50 = duration.value_at_percentile(50),
          .p90 = duration.value_at_percentile(90),
          .p95 = duration.value_at_percentile(95),
          .p99 = duration.value_at_percentile(99),
          .p99_9 = duration.value_at_percentile(99.9),
          .max = duration.max(),
          .mean = duration.mean()};
}

std::vector<ComparisonRow> compare(const Figures& before, const Figures& after) {
  std::vector<ComparisonRow> rows{
      row_of("rate", ComparedUnit::kPerSecond, before.rate_per_s, after.rate_per_s),
      row_of("errors", ComparedUnit::kPercent, error_percent(before), error_percent(after)),
  };
  if (before.requests == 0 || after.requests == 0) return rows;
  for (const Latency& latency : kLatencies) {
    rows.push_back(row_of(latency.metric, ComparedUnit::kNanoseconds,
                          static_cast<double>((before.*latency.value).count()),
                          static_cast<double>((after.*latency.value).count())));
  }
  return rows;
}

std::string_view name(Change change) {
  switch (change) {
    case Change::kSame:
      return "same";
    case Change::kBetter:
      return "better";
    case Change::kWorse:
      return "worse";
  }
  UNREACHABLE("change {}", static_cast<int>(change));
}

}  // namespace hyperscale::results
