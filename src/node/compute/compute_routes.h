// Routes of the compute demo: POST /api/v1/compute and GET /api/v1/jobs/ID (both need the token); its frame methods:
// "echo" (returns the body) and "compute" (the body is a job as JSON). Handlers run on any strand.
#pragma once

#include "node/process/role.h"

#include <vector>

namespace hyperscale::node {

struct ComputeParts;

void add_compute_routes(runtime::Router& router, ComputeParts& parts);
std::vector<FrameMethod> compute_methods(ComputeParts& parts);

}  // namespace hyperscale::node
