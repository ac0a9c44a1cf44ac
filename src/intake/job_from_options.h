// From options to a job: of one URL, or of a workflow file with options that overrule it. Everything but the addresses
// of hosts, which host_endpoints.h fills in.
//
// Reads the files that the options name. A workflow file is run once for this, in a child process: call where this
// process has one thread only. A failure is what the user sees: one sentence, or all mistakes of the file.
#pragma once

#include "base/result.h"
#include "intake/run_options.h"
#include "intake/settings_from_options.h"
#include "plan/job.h"
#include "plan/loop_backend.h"
#include "results/threshold.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::intake {

struct PlannedJob {
  plan::Job job;
  std::uint32_t executors = 1;
  plan::LoopBackend backend = plan::LoopBackend::kAuto;
  Duration time_limit{};                          // zero: none
  std::vector<results::RunThreshold> thresholds;  // of a workflow file
  std::vector<std::string> warnings;
};

// Of a URL or of a workflow file, whichever the options name. Options about the load beat what the file says, for all
// of its workflows; users and rates of several are scaled, see shared_users.h.
Result<PlannedJob> job_of(const RunOptions& options, const Machine& machine);

}  // namespace hyperscale::intake
