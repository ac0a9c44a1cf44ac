// The HTTP routes of a node without a role, and the methods of its framed transport.
#pragma once

#include "node/node_parts.h"
#include "runtime/http/router.h"
#include "runtime/transport/framed_connection.h"

#include <functional>

namespace hyperscale::node {

// GET /metrics, /healthz, /readyz, /version: served until the very end of a shutdown.
void add_health_routes(runtime::Router& router, NodeParts& parts);
// POST /api/v1/compute, GET /api/v1/jobs/ID, GET /api/v1/status: need the token. GET /version.
void add_api_routes(runtime::Router& router, NodeParts& parts);
// POST /api/v1/reload, /api/v1/shutdown, /api/v1/debug/crash: need the token.
void add_admin_routes(runtime::Router& router, NodeParts& parts, std::function<void(std::string)> request_shutdown);

// The methods "echo" (the body comes back) and "compute" (the body is a job as JSON).
runtime::FrameHandler frame_methods(NodeParts& parts);

}  // namespace hyperscale::node
