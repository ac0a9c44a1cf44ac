// Cluster metrics of a node as Prometheus text, with the names of AD35-OBS-1. Pure function; any thread. Labels are
// closed sets, except {peer} and {datacenter}, of which at most kPeerSeriesMax are written.
#pragma once

#include "node/cluster/cluster_standing.h"

#include <cstddef>
#include <string>

namespace hyperscale::node {

inline constexpr std::size_t kPeerSeriesMax = 256;

std::string cluster_metrics(const ClusterStanding& standing);

}  // namespace hyperscale::node
