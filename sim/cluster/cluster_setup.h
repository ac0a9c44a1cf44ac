// Configuration of one node of a simulated cluster. The only code that builds a ClusterConfig, maps the limits that the
// swarm can reduce, and enables a planted bug.
//
// Pure functions.
#pragma once

#include "cluster/cluster_config.h"
#include "sim/cluster/cluster_directory.h"
#include "sim/engine/process.h"
#include "sim/engine/settings.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hyperscale::sim {

struct ClusterLimits {
  std::size_t datagram_bytes = 0;  // on the wire, sealed
  std::size_t sealed_head_bytes = 0;
  std::uint64_t gossip_queued = 0;
};

// bug: from planted_bugs.h, empty for none. key_phase: see keyring().
cluster::ClusterConfig node_config(const ClusterDirectory& directory, const ProcessBirth& birth,
                                   const Settings& settings, std::string_view bug, std::int64_t key_phase);
// The secrets of a machine in a phase of a rotation: 0 only the first one, 1 also accepts the second, 2 uses the second
// and accepts the first, 3 only the second, and so on.
wire::Keyring keyring(wire::NodeRole role, std::int64_t phase);
ClusterLimits limits_of(const Settings& settings);
Duration probe_interval(const Settings& settings);

}  // namespace hyperscale::sim
