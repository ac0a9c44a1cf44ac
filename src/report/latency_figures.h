// LatencyFigures: the figures of a latency series in every report, and the rows of the latency table.
//
// Pure functions, any thread. All figures are zero without values.
#pragma once

#include "base/histogram/sparse_histogram.h"
#include "results/run_result.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hyperscale::report {

struct LatencyFigures {
  std::uint64_t count = 0;
  Duration min{}, mean{}, p50{}, p90{}, p95{}, p99{}, p99_9{}, p99_99{}, max{};
};

LatencyFigures latency_figures(const SparseHistogram& histogram);

struct LatencyColumn {
  std::string_view title;  // "p99.9"
  Duration LatencyFigures::* value;
};
inline constexpr std::array kLatencyColumns{
    LatencyColumn{"mean", &LatencyFigures::mean},     LatencyColumn{"p50", &LatencyFigures::p50},
    LatencyColumn{"p90", &LatencyFigures::p90},       LatencyColumn{"p95", &LatencyFigures::p95},
    LatencyColumn{"p99", &LatencyFigures::p99},       LatencyColumn{"p99.9", &LatencyFigures::p99_9},
    LatencyColumn{"p99.99", &LatencyFigures::p99_99}, LatencyColumn{"max", &LatencyFigures::max}};

struct LatencyRow {
  std::string_view name;  // "first byte"
  std::string_view meaning;
  LatencyFigures figures;
};

// Duration, also of good answers only when many failed, service and the phases; omits phases without values.
std::vector<LatencyRow> latency_rows(const results::Series& series, const results::Counts& counts, bool open_loop);

// The content of `duration`, as a sentence without a full stop.
std::string_view duration_meaning(bool open_loop);

}  // namespace hyperscale::report
