// A plan in a few words, for titles: what it does to the target, and how it speaks to it. Pure; any thread.
#pragma once

#include "plan/plan.h"
#include "results/http_versions.h"

#include <string>

namespace hyperscale::intake {

// "50 users for 30s", "10 users, 1000 iterations", "2000/s for 1m, at most 500 users", "users 0 > 100 > 0 over 1m30s"
std::string describe_load(const plan::Load& load);
// "HTTP/1.1", "HTTP/2", "HTTPS/1.1", "HTTPS/2"; "HTTPS" when the handshake decides.
// What was spoken; before anything was, what the plan asks for.
std::string describe_protocol(const plan::Plan& plan, const results::HttpVersions& spoken);
// The first URL that it names, or its script.
std::string target_of(const plan::Plan& plan);

}  // namespace hyperscale::intake
