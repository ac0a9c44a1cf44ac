// The addresses of every host that a plan connects to, found before the run.
//
// Blocking (name_resolver.h); any thread. The kind of the plan's requests decides lookup and transport
// (plan/request_kind.h). A host with addresses of both families keeps those that accept connections (address_probe.h).
#pragma once

#include "base/result.h"
#include "node/executors/name_resolver.h"
#include "plan/job.h"

#include <string>
#include <vector>

namespace hyperscale::node {

// Fills plan.endpoints. `overrides` are "host:port:address[,address]" and replace the lookup; one that no URL uses is
// an error, because it is a typo.
Status fill_endpoints(plan::Plan& plan, const std::vector<std::string>& overrides,
                      const ResolverSettings& settings = {});
// The same for all workflows of a job, each host looked up once.
Status fill_endpoints(plan::Job& job, const std::vector<std::string>& overrides, const ResolverSettings& settings = {});

}  // namespace hyperscale::node
