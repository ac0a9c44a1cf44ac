// Every text of a result that comes from users, scripts or targets, without secrets. The last thing that happens to a
// result before it leaves the process: names have been compared with thresholds by then.
#pragma once

#include "base/redactor.h"
#include "results/run_result.h"
#include "results/threshold.h"

#include <vector>

namespace hyperscale::results {

void redact(RunResult& result, const Redactor& redactor);
void redact(std::vector<Verdict>& verdicts, const Redactor& redactor);

}  // namespace hyperscale::results
