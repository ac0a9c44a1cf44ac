// The HTTP routes of a node that is in a cluster: GET /api/v1/cluster, /api/v1/cluster/audit,
// /debug/vivaldi/coordinate, /debug/vivaldi/peers, /debug/peers/unconfirmed, and POST /api/v1/cluster/block (admin,
// with admin.fault_injection).
#pragma once

#include "runtime/http/router.h"

#include <functional>
#include <memory>

namespace hyperscale::node {

class ClusterService;

void add_cluster_routes(runtime::Router& router, std::shared_ptr<ClusterService> service,
                        std::function<bool()> may_inject_faults);

}  // namespace hyperscale::node
