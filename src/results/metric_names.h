// The names that a threshold may have on its left side. Pure functions; any thread.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace hyperscale::results {

enum class MetricKind : std::uint8_t { kLatency, kShare, kVolume };

struct MetricName {
  MetricKind kind = MetricKind::kLatency;
  std::string series;     // latency: "duration", "service", "connect", "tls", "first_byte" or "lag"
  std::string metric;     // "percentile", "max", "min", "mean"; "errors", "checks", "dropped"; "requests", "rate"
  double percentile = 0;  // of "percentile"
};

// Fails with kInvalidArgument; the message names the nearest metric for a typo and lists all otherwise.
Result<MetricName> parse_metric_name(std::string_view text);

}  // namespace hyperscale::results
