// JobSchedule: which workflows of a job run when and on which cores. Pure; any thread.
//
// Stages run one after the other. The workflows of a layer run in one stage, sharing cores if there are too few of
// them; only an exclusive workflow has a stage to itself, before the others of its layer.
#pragma once

#include "base/result.h"
#include "plan/job.h"
#include "plan/vu_plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::plan {

struct Placement {
  std::uint32_t workflow = 0;  // index in the job
  std::uint32_t layer = 0;
  std::vector<std::uint32_t> cores = {};  // of the pool, by number; at least one
  bool operator==(const Placement&) const = default;
};

struct JobSchedule {
  std::vector<std::vector<Placement>> stages;
  VuPlan workflow_vus;  // users of each core of each workflow (EXEC-VU-3)
  std::vector<std::string> warnings;
};

// Fails with one sentence on an empty job, a name that appears twice, an unknown dependency or a cycle. REQUIRES:
// pool > 0.
Result<JobSchedule> schedule_of(const Job& job, std::uint32_t pool);

}  // namespace hyperscale::plan
