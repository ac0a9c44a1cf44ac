// The names that a threshold may have on its left side, which depend on what it is for. Pure functions; any thread.
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
                          // of a metric also "sum", "count", "last"
  double percentile = 0;  // of "percentile"
};

// Fails with kInvalidArgument; the message names the nearest figure for a typo and lists all otherwise.
Result<FigureName> parse_figure_name(std::string_view text, const ThresholdScope& scope = {});

}  // namespace hyperscale::results
