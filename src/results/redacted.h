// Removes secrets from all texts of a result that come from users, scripts or targets. The last step before a result
// leaves the process: thresholds have already been matched against the original names.
#pragma once

#include "base/redactor.h"
#include "results/run_result.h"
#include "results/threshold.h"

#include <vector>

namespace hyperscale::results {

void redact(RunResult& result, const Redactor& redactor);
void redact(std::vector<Verdict>& verdicts, const Redactor& redactor);

}  // namespace hyperscale::results
