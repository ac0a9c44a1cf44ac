// Converts options to the plan of one URL. host_endpoints.h adds the addresses of its hosts.
//
// Reads the files that the options name; otherwise pure. Any thread. A failure is kInvalidArgument with the one
// sentence that the user sees.
#pragma once

#include "base/result.h"
#include "intake/run_options.h"
#include "intake/settings_from_options.h"
#include "plan/loop_backend.h"
#include "plan/plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::intake {

struct PlannedRun {
  plan::Plan plan;
  std::uint32_t executors = 1;
  plan::LoopBackend backend = plan::LoopBackend::kAuto;
  Duration time_limit{};  // zero: none
  std::vector<std::string> warnings;
};

Result<PlannedRun> plan_of(const RunOptions& options, const Machine& machine);

}  // namespace hyperscale::intake
