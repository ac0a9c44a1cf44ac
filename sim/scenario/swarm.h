// The swarm: a random scenario for each seed. Which faults there are at all, how often, how hard and how long is drawn
// first, so that some runs are all partitions and others all crashes; limits are shrunk, so that rare paths become
// common. Faults fill the first seven tenths of the time; then everything heals, the cluster settles, and at nine
// tenths one machine dies for good, which all must learn.
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
