// Parses the metric of a threshold (its left side); the valid names depend on the scope. Pure functions; any thread.
#pragma once

#include "base/result.h"
#include "results/threshold_scope.h"

#include <string>
#include <string_view>

namespace hyperscale::results {

enum class FigureKind : std::uint8_t { kLatency, kShare, kVolume, kNumber };

struct FigureName {
  FigureKind kind = FigureKind::kLatency;
  std::string series;     // latency: "duration", "ok", "service", "connect", "tls", "first_byte" or "lag"
  std::string metric;     // "percentile", "max", "min", "mean"; "errors", "checks", "iterations_failed", "dropped";
                          // "requests", "rate";
                          // for metrics of scripts also "sum", "count", "last"
  double percentile = 0;  // if metric is "percentile"
};

// Fails with kInvalidArgument; the message suggests the nearest figure for a typo, else lists all.
Result<FigureName> parse_figure_name(std::string_view text, const ThresholdScope& scope = {});

}  // namespace hyperscale::results
