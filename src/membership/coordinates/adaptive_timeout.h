// AdaptiveTimeout: a suspicion timeout that follows distance, load and confidence (AD-35 part A.4), for peers whose
// role is latency aware. Pure functions.
#pragma once

#include "base/time.h"
#include "membership/coordinates/role_strategy.h"
#include "membership/coordinates/rtt_estimate.h"

namespace hyperscale::membership {

struct AdaptiveTimeoutConfig {
  Duration base_timeout = 5s;
  Duration timeout_max = 300s;
  double reference_rtt_ms = 10;
  double latency_multiplier_max = 10;

  // Defaults belong to a probe interval of one second.
  static AdaptiveTimeoutConfig scaled_to(Duration probe_interval);
};

struct AdaptiveTimeout {
  double latency_multiplier = 1;
  double load_multiplier = 1;
  double confidence_adjustment = 1;
  Duration timeout = {};
};

// `rtt_ms` is the upper bound of RttEstimate; `relative_error` that of this node's coordinate; `load_multiplier` the
// local health multiplier, already capped for the role.
AdaptiveTimeout adaptive_timeout(double rtt_ms, double load_multiplier, double relative_error,
                                 const AdaptiveTimeoutConfig& config);

}  // namespace hyperscale::membership
