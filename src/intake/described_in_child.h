// Runs a workflow file in a child process and returns the declared job: a script cannot crash this process
// (guarded_child.h).
//
// Blocking; any thread. Fails with the one sentence, or all errors of the file, that the user sees.
#pragma once

#include "base/result.h"
#include "intake/guarded_child.h"
#include "intake/job_from_description.h"
#include "plan/plan.h"

#include <string>
#include <vector>

namespace hyperscale::intake {

// `settings`, `env` and `secrets` as for job_of() and read_script_variables().
Result<DescribedJob> described_in_child(const std::string& file, const std::vector<std::string>& env,
                                        const std::vector<std::string>& secrets, const plan::Plan& settings,
                                        const ChildLimits& limits = {});

}  // namespace hyperscale::intake
