// The HTTP routes of a node that is in a cluster: GET /api/v1/cluster, /api/v1/cluster/audit,
// /debug/vivaldi/coordinate, /debug/vivaldi/peers, /debug/peers/unconfirmed, and POST /api/v1/cluster/block (admin,
// with admin.fault_injection).
#pragma once

#include "node/node_parts.h"
#include "runtime/http/router.h"

namespace hyperscale::node {

// REQUIRES: parts.cluster.
void add_cluster_routes(runtime::Router& router, NodeParts& parts);

}  // namespace hyperscale::node
