// Arrivals: how well an open-loop run kept the rate that was asked.
//
// Pure functions, any thread. Iterations arrive at the asked rate, so the achieved rate counts iterations, not
// requests.
#pragma once

#include "results/run_result.h"

namespace hyperscale::report {

// Iterations started per second of the time in which they were to start. Time after the last start does not count: a
// slow last response does not lower the rate. Zero for a run without time.
double achieved_rate_per_s(const results::RunResult& result);

// The achieved rate is more than 1 % under the asked one. False for closed loops and when no rate was asked.
bool fell_behind(const results::RunResult& result);

}  // namespace hyperscale::report
