// What a node counts about its cluster, in Prometheus text form. Pure function; any thread.
#pragma once

#include "node/cluster/cluster_service.h"

#include <string>

namespace hyperscale::node {

std::string cluster_metrics(const ClusterStanding& standing);

}  // namespace hyperscale::node
