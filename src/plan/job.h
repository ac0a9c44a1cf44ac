// Job: the workflows that are run together, as pure data. A URL on the command line is a job of one workflow.
#pragma once

#include "base/time.h"
#include "plan/plan.h"
#include "plan/priority.h"

#include <string>
#include <vector>

namespace hyperscale::plan {

struct Workflow {
  Plan plan;  // its name is the workflow's
  Priority priority = Priority::kAuto;
  bool is_test = true;                    // at least one of its steps measures an answer (HOOK-4)
  std::vector<std::string> depends = {};  // names of workflows that must have completed first
  Duration start_offset{};                // after the moment at which it could start
  bool operator==(const Workflow&) const = default;
};

struct Job {
  std::string name;
  std::vector<Workflow> workflows;
  bool operator==(const Job&) const = default;
};

}  // namespace hyperscale::plan
