// Provisioner: computes the threads of each workflow of a layer, and which workflows run side by side (EXEC-PROV).
// Pure; any thread.
//
// Workflows are served by priority, highest first; of equal ones tests come first, then the order given. Workflows
// without tests need no threads: they form the bypass batch with zero threads, which comes first. Tests fill batches in
// order: a test joins the current batch if the smallest numbers of threads of all in it still fit the pool. An
// exclusive one has its batch to itself.
//
// Inside a batch each workflow first gets the minimum of its range; remaining threads go one by one to the workflow
// that has fewest and may have more; of equal ones to the higher priority. So a higher priority never has fewer threads
// than its range promises, and none is starved below another's surplus (docs/decisions/0008).
#pragma once

#include "plan/priority.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hyperscale::plan {

struct WorkflowClaim {
  std::string workflow;
  Priority priority = Priority::kAuto;
  bool is_test = true;
};

struct Provision {
  std::string workflow;
  Priority priority = Priority::kAuto;
  std::uint32_t threads = 0;  // zero: tests nothing, does not use the pool and runs on one core
  bool operator==(const Provision&) const = default;
};

using Batch = std::vector<Provision>;

// No batch has more threads than the pool. REQUIRES: pool > 0.
std::vector<Batch> provision(std::span<const WorkflowClaim> workflows, std::uint32_t pool);

// Cores that a workflow runs on: its cores, but only one for a workflow that tests nothing (EXEC-PRIO-4).
std::uint32_t cores_of(const Provision& provision);

}  // namespace hyperscale::plan
