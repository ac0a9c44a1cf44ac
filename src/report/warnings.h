// Warnings about the validity of the figures of a run.
//
// Pure function, any thread. One sentence each, with the number and what to do about it. Warnings that the result
// carries come first, then those that its figures call for; none appears twice.
#pragma once

#include "results/run_result.h"

#include <string>
#include <vector>

namespace hyperscale::report {

// An executor that was busy for a larger part of the run than this was the limit, not the target.
inline constexpr double kBusyFractionMax = 0.9;
// One that waited for its core for a larger part of the run than this was slowed down.
inline constexpr double kWaitFractionMax = 0.2;
// Below this many requests one of them decides the p99.
inline constexpr std::uint64_t kRequestsForP99 = 100;

std::vector<std::string> warnings_of(const results::RunResult& result);

}  // namespace hyperscale::report
