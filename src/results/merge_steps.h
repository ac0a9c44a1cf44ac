// Steps of a result: those of the plan, which are the same in all shares and in the same order, and after them the
// series that scripts named at run time, which each share has its own of. merge() and join() of run_result.h are made
// of these. Pure functions; any thread.
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
// Steps of another workflow follow as "Workflow.step". REQUIRES of histograms: room.
void join_steps(std::vector<StepResult>& into, const std::string& workflow, std::vector<StepResult> other);

}  // namespace hyperscale::results
