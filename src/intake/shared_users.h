// What --vus and --rate mean for a job of several workflows: the mix that the file declares, larger or smaller.
//
// Pure; any thread. Workflows keep their proportion to each other. --vus is how many users are busy at once: it is
// shared by those that run at the same time, and workflows that run before or after them change by the same factor.
#pragma once

#include "base/result.h"
#include "plan/job.h"

#include <cstdint>
#include <string>

namespace hyperscale::intake {

// Gives the users of the declared job, in its order, to `job`, and a sentence that says who got how many. Workflows
// with a rate keep their pool unless all have one. Stages of users change by the same factor. Fails with
// kInvalidArgument when there are fewer users than workflows.
Result<std::string> share_users(const plan::Job& declared, std::uint32_t users, plan::Job& job);

// The same for a rate. Fails with kInvalidArgument when a workflow has no constant rate of its own.
Result<std::string> share_rate(const plan::Job& declared, double rate_per_s, plan::Job& job);

// Users of one workflow of the file, with its stages.
void set_users(const plan::Load& declared, std::uint32_t users, plan::Load& load);

}  // namespace hyperscale::intake
