// The charts of the HTML report: their figures, axes and labels.
//
// Pure functions, any thread. A chart without data is an empty text.
#pragma once

#include "results/run_result.h"

#include <string>

namespace hyperscale::report {

std::string throughput_chart(const results::RunResult& result);
std::string latency_over_time_chart(const results::RunResult& result);
std::string percentile_chart(const results::Series& series);
std::string distribution_chart(const SparseHistogram& duration);

}  // namespace hyperscale::report
