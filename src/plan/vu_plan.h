// VuPlan: how many virtual users each thread of each workflow runs (EXEC-VU-3). Pure; any thread.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace hyperscale::plan {

struct WorkflowVus {
  std::string workflow;
  std::uint32_t vus = 0;
  std::uint32_t threads = 1;
};

// Workflow name -> virtual users of each of its threads, by split_vus().
using VuPlan = std::map<std::string, std::vector<std::uint32_t>>;

// Fails with kInvalidArgument on a workflow without a name or a thread, and on one named twice.
Result<VuPlan> plan_vus(std::span<const WorkflowVus> workflows);

}  // namespace hyperscale::plan
