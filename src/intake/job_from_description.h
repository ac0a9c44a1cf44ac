// From what a workflow file declares to a job: everything but the addresses of hosts. Pure; any thread.
#pragma once

#include "base/result.h"
#include "plan/job.h"
#include "results/threshold.h"
#include "workflow/description.h"

#include <vector>

namespace hyperscale::intake {

struct DescribedJob {
  plan::Job job;
  std::vector<results::RunThreshold> thresholds;
};

// `settings` has what all workflows have alike: connections, seed, tags, the script's files and environment. Fails with
// one sentence that names the place of a threshold that cannot be understood.
Result<DescribedJob> job_of(const workflow::Description& description, const plan::Plan& settings);

}  // namespace hyperscale::intake
