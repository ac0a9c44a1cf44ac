// RttEstimate: upper bound of the round trip to a peer, by coordinates, and the quality of the estimate (AD-35 part
// A.2). Timeouts and routing use the upper bound, never the raw distance; a peer without coordinates gets defaults and
// is never left out. Pure functions.
#pragma once

#include "base/time.h"
#include "membership/coordinates/peer_coordinates.h"
#include "wire/cluster_message.h"

#include <cstdint>

namespace hyperscale::membership {

struct RttConfig {
  double min_samples_for_routing = 10;
  double error_good_ms = 20;
  Duration coordinate_ttl = 300s;
  double rtt_default_ms = 100;
  double sigma_default_ms = 50;
  double sigma_min_ms = 1;
  double sigma_max_ms = 500;
  double k_sigma = 2.0;
  double rtt_min_ms = 1;
  double rtt_max_ms = 10'000;
};

struct RttEstimate {
  double rtt_ms = 0;  // raw
  double sigma_ms = 0;
  double ucb_ms = 0;   // the bound to use
  double quality = 0;  // 0 to 1
  bool known = false;  // both sides have a coordinate
  // Components of the quality, for callers with their own thresholds; only if known.
  std::uint32_t samples = 0;  // the fewer of both
  double error_ms = 0;        // the larger of both
  Duration staleness = {};    // of the peer's

  bool operator==(const RttEstimate&) const = default;
};

// 0 for a missing one (null, or without any sample).
double coordinate_quality(const StoredCoordinate* coordinate, MonoTime now, const RttConfig& config);

// Null or without a sample: missing.
RttEstimate estimate_rtt(const wire::Coordinate* local, const StoredCoordinate* remote, MonoTime now,
                         const RttConfig& config);

}  // namespace hyperscale::membership
