// Applies --vus and --rate to a job of several workflows: scales the mix that the file declares.
//
// Pure; any thread. Workflows keep their proportions. --vus is the number of users busy at once: workflows that run at
// the same time share it, and workflows that run before or after them change by the same factor.
#pragma once

#include "base/result.h"
#include "plan/job.h"

#include <cstdint>
#include <string>

namespace hyperscale::intake {

// Sets the users in `job` from the declared job, in its order, and returns a sentence with the users of each workflow.
// Workflows with a rate keep their pool unless all have one. Stages of users change by the same factor. Fails with
// kInvalidArgument if there are fewer users than workflows.
Result<std::string> share_users(const plan::Job& declared, std::uint32_t users, plan::Job& job);

// As share_users(), for a rate. Fails with kInvalidArgument if a workflow has no constant rate of its own.
Result<std::string> share_rate(const plan::Job& declared, double rate_per_s, plan::Job& job);

// Sets the users of one workflow, and scales its stages.
void set_users(const plan::Load& declared, std::uint32_t users, plan::Load& load);

}  // namespace hyperscale::intake
