// Converts the declarations of a workflow file to a job, without the addresses of hosts. Pure; any thread.
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

// `settings` contains what all workflows share: connections, seed, tags, the script's files and environment. Fails with
// one sentence that contains the location of an invalid threshold.
Result<DescribedJob> job_of(const workflow::Description& description, const plan::Plan& settings);

}  // namespace hyperscale::intake
