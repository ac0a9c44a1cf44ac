// How callers reach the compute demo: POST /api/v1/compute, GET /api/v1/jobs/ID (both need the token), and the frame
// methods "echo" (the body comes back) and "compute" (the body is a job as JSON). Handlers run on any strand.
#pragma once

#include "node/process/role.h"

#include <vector>

namespace hyperscale::node {

struct ComputeParts;

void add_compute_routes(runtime::Router& router, ComputeParts& parts);
std::vector<FrameMethod> compute_methods(ComputeParts& parts);

}  // namespace hyperscale::node
