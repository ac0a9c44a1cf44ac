// The HTTP routes of every node, independent of its roles. Roles and parts outlive the router.
#pragma once

#include "node/process/role.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::node {

using Roles = std::vector<std::unique_ptr<Role>>;

// GET /metrics, /healthz, /readyz, /version: served until the end of a shutdown.
void add_health_routes(runtime::Router& router, NodeParts& parts, const Roles& roles);
// GET /api/v1/status: needs the token. GET /version.
void add_status_routes(runtime::Router& router, NodeParts& parts, const Roles& roles);
// POST /api/v1/reload, /api/v1/shutdown, /api/v1/debug/crash: need the token.
void add_admin_routes(runtime::Router& router, NodeParts& parts, std::function<void(std::string)> request_shutdown);

}  // namespace hyperscale::node
