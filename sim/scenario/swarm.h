// The swarm: a random scenario for each seed. It first draws which faults occur, how often, how severe and how long, so
// that some runs are all partitions and others all crashes; limits are reduced, so that rare paths become common.
// Faults fill the first seven tenths of the time; then everything heals, the cluster settles, and at nine tenths one
// machine dies permanently, which all must detect.
//
// A pure function of its arguments: the same seed and options always give the same scenario.
#pragma once

#include "sim/scenario/scenario.h"

#include <cstdint>

namespace hyperscale::sim {

struct SwarmOptions {
  Topology topology;
  Duration time = 10min;
};

Scenario swarm_scenario(std::uint64_t seed, const SwarmOptions& options);

}  // namespace hyperscale::sim
