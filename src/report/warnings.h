// Warnings about the validity of the figures of a run.
//
// Pure function, any thread. One sentence each, with the number and the remedy. Warnings stored in the result come
// first, then those derived from its figures; none appears twice.
#pragma once

#include "results/run_result.h"

#include <string>
#include <vector>

namespace hyperscale::report {

// Above this busy share of the run, an executor was the limit, not the target.
inline constexpr double kBusyFractionMax = 0.9;
// Above this share of waiting for its core, an executor was slowed down.
inline constexpr double kWaitFractionMax = 0.2;
// With fewer requests a single one decides the p99.
inline constexpr std::uint64_t kRequestsForP99 = 100;

std::vector<std::string> warnings_of(const results::RunResult& result);

}  // namespace hyperscale::report
