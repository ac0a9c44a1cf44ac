// A node's cluster status as JSON, for the API and for `hyperscale cluster status`. Pure functions; any
// thread.
#pragma once

#include "membership/audit_log.h"
#include "node/cluster/cluster_standing.h"

#include <string>
#include <vector>

namespace hyperscale::node {

std::string standing_json(const ClusterStanding& standing);
// AD35-OBS-2, -3, -4.
std::string coordinate_json(const cluster::ClusterView& view);
std::string peers_json(const cluster::ClusterView& view);
std::string unconfirmed_json(const cluster::ClusterView& view, WallTime now);
std::string audit_json(const std::vector<membership::AuditEntry>& entries, MonoTime now, WallTime wall);

}  // namespace hyperscale::node
