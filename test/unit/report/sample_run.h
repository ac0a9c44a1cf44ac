// Results of runs that never took place, but look like runs that did. The same numbers every time.
#pragma once

#include "report/build_info_text.h"
#include "results/run_result.h"
#include "results/threshold.h"

#include <vector>

namespace hyperscale::report {

// One GET for 3 s by 10 users, a few hundred requests, no failure.
results::RunResult small_run();

// Three requests, one of which failed: the example of docs/formats/results.md.
results::RunResult tiny_run();
std::vector<results::Verdict> tiny_verdicts();

// Open loop, two steps, a minute at 2,000 arrivals per second; the target stalls in the middle and then fails at times.
results::RunResult busy_run();

// A script of three steps, of which one measures nothing, with checks, metrics of every kind and a named series.
results::RunResult script_run();

// Passed and failed ones that fit busy_run.
std::vector<results::Verdict> busy_verdicts();

BuildInfoText sample_build();

}  // namespace hyperscale::report
