// Arrivals: how well an open-loop run kept the requested rate.
//
// Pure functions, any thread. Iterations arrive at the requested rate, so the achieved rate counts iterations, not
// requests.
#pragma once

#include "results/run_result.h"

namespace hyperscale::report {

// Iterations started per second of the time in which they were to start. Time after the last start does not count: a
// slow last response does not lower the rate. Zero for a run without time.
double achieved_rate_per_s(const results::RunResult& result);

// The achieved rate is more than 1 % below the requested one. False for closed loops and without a requested rate.
bool fell_behind(const results::RunResult& result);

}  // namespace hyperscale::report
