// Invariants of a cluster after some time without faults. Pure functions of snapshots.
#pragma once

#include "sim/checkers/observation.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <vector>

namespace hyperscale::sim {

inline constexpr std::string_view kSettled = "settled";

// True if two machines watch each other.
using Related = std::function<bool(HostId a, HostId b)>;
using HostName = std::function<std::string(HostId)>;

struct GroupSize {
  std::uint32_t group = 0;
  std::size_t configured = 0;  // number of voters
};

// Every running node sees every related running one as alive.
Finding all_see_each_other(const std::vector<NodeSnapshot>& running, const Related& related, const HostName& name);

// Of a group: if a majority of the configured voters runs, exactly one acts, and all agree on it and on its term.
Finding one_leader(const std::vector<NodeSnapshot>& running, GroupSize group, const HostName& name);

// All nodes related to a dead machine see it as dead, or have removed it.
Finding known_dead(const std::vector<NodeSnapshot>& running, HostId gone, const Related& related, const HostName& name);

// A quantity within its bound.
Finding within_limits(HostId host, const std::vector<Gauge>& gauges);

}  // namespace hyperscale::sim
