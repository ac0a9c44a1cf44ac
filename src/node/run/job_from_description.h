// From what a workflow file declares to a job: everything but the addresses of hosts. Pure; any thread.
#pragma once

#include "base/result.h"
#include "plan/job.h"
#include "results/threshold.h"
#include "workflow/description.h"

#include <vector>

namespace hyperscale::node {

struct DescribedJob {
  plan::Job job;
  std::vector<results::Threshold> thresholds;
};

// `settings` has what all workflows have alike: connections, seed, tags. Fails with one sentence that names the place
// of what cannot be run: steps, checks, metrics, actions and state that are functions, and data files.
Result<DescribedJob> job_of(const workflow::Description& description, const plan::Plan& settings);

}  // namespace hyperscale::node
