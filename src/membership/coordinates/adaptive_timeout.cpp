#include "membership/coordinates/adaptive_timeout.h"

#include "base/check.h"

#include <algorithm>
#include <cmath>

namespace hyperscale::membership {

AdaptiveTimeoutConfig AdaptiveTimeoutConfig::scaled_to(Duration probe_interval) {
  CHECK(probe_interval > 0ns);
  AdaptiveTimeoutConfig config;
  config.base_timeout = 5 * probe_interval;
  config.timeout_max = 300 * probe_interval;
  return config;
}

AdaptiveTimeout adaptive_timeout(double rtt_ms, double load_multiplier, double relative_error,
                                 const AdaptiveTimeoutConfig& config) {
  AdaptiveTimeout out;
  out.latency_multiplier = std::min(config.latency_multiplier_max, std::max(1.0, rtt_ms / config.reference_rtt_ms));
  out.load_multiplier = load_multiplier;
  out.confidence_adjustment = 1.0 + relative_error / 10.0;
  const double product = out.latency_multiplier * out.load_multiplier * out.confidence_adjustment;
  const auto timeout = Duration(std::llround(static_cast<double>(config.base_timeout.count()) * product));
  out.timeout = std::min(timeout, config.timeout_max);
  return out;
}

}  // namespace hyperscale::membership
