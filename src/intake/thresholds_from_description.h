// The thresholds of a workflow file, each with the part of the results that it is for. Pure; any thread.
#pragma once

#include "base/result.h"
#include "results/threshold.h"
#include "workflow/description.h"

#include <vector>

namespace hyperscale::intake {

// A threshold for a step or a check of one of several workflows is for "Workflow.step", as results name it. Fails with
// kInvalidArgument and the place of a threshold that cannot be read or names a step or check that is not there.
Result<std::vector<results::RunThreshold>> thresholds_of(const workflow::Description& description);

}  // namespace hyperscale::intake
