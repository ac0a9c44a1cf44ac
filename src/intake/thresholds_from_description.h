// The thresholds of a workflow file, each with the part of the results that it applies to. Pure; any thread.
#pragma once

#include "base/result.h"
#include "results/threshold.h"
#include "workflow/description.h"

#include <vector>

namespace hyperscale::intake {

// With several workflows a threshold for a step or a check applies to "Workflow.step", its name in results. Fails with
// kInvalidArgument and the location of a threshold that is invalid or names an unknown step or check.
Result<std::vector<results::RunThreshold>> thresholds_of(const workflow::Description& description);

}  // namespace hyperscale::intake
