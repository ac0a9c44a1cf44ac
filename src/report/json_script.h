// Checks and metrics of scripts, as fields of the results file. Pure apart from the writer they are given; any thread.
#pragma once

#include "base/json_writer.h"
#include "results/run_result.h"

namespace hyperscale::report {

// "checks" of the totals.
void write_checks_total(JsonWriter& json, const results::RunResult& result);
// "checks" and "metrics", each omitted if empty.
void write_script_results(JsonWriter& json, const results::RunResult& result);

}  // namespace hyperscale::report
