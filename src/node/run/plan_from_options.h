// From options to the plan of one URL: everything but the addresses of its hosts, which host_endpoints.h fills in.
//
// Reads the files that the options name; otherwise pure. Any thread. A failure is kInvalidArgument with the one
// sentence that the user sees.
#pragma once

#include "base/result.h"
#include "load/loop/event_loop.h"
#include "node/run/run_options.h"
#include "node/run/settings_from_options.h"
#include "plan/plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::node {

struct PlannedRun {
  plan::Plan plan;
  std::uint32_t executors = 1;
  load::LoopBackend backend = load::LoopBackend::kAuto;
  Duration time_limit{};  // zero: none
  std::vector<std::string> warnings;
};

Result<PlannedRun> plan_of(const RunOptions& options, const Machine& machine);

}  // namespace hyperscale::node
