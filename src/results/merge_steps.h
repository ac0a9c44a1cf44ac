// Merges the steps of results: first those of the plan, which are the same in all shares and in the same order, then
// the series that scripts named at run time, which differ between shares. merge() and join() of run_result.h use these.
// Pure functions; any thread.
#pragma once

#include "base/result.h"
#include "results/run_result.h"

#include <string>
#include <vector>

namespace hyperscale::results {

// kInvalidArgument unless both have the same steps of the plan.
Status check_same_steps(const std::vector<StepResult>& into, const std::vector<StepResult>& share);
// REQUIRES: check_same_steps() passed, and histograms have room (recorded_values()).
void merge_steps(std::vector<StepResult>& into, const std::vector<StepResult>& share);
// Appends the steps of another workflow as "Workflow.step". REQUIRES that histograms have room.
void join_steps(std::vector<StepResult>& into, const std::string& workflow, std::vector<StepResult> other);

}  // namespace hyperscale::results
