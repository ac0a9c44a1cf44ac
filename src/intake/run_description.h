// Short descriptions of a plan, for titles: its load, target and protocol. Pure; any thread.
#pragma once

#include "plan/plan.h"
#include "results/http_versions.h"

#include <string>

namespace hyperscale::intake {

// "50 users for 30s", "10 users, 1000 iterations", "2000/s for 1m, at most 500 users", "users 0 > 100 > 0 over 1m30s"
std::string describe_load(const plan::Load& load);
// "HTTP/1.1", "HTTP/2", "HTTPS/1.1", "HTTPS/2"; "HTTPS" if the handshake decides. The protocol spoken; before the first
// connection, that of the plan.
std::string describe_protocol(const plan::Plan& plan, const results::HttpVersions& spoken);
// The first URL of the plan, or its script.
std::string target_of(const plan::Plan& plan);

}  // namespace hyperscale::intake
