// Converts options to a job: of one URL, or of a workflow file with options that override it. host_endpoints.h adds the
// addresses of hosts.
//
// Reads the files that the options name. Runs a workflow file once, in a child process: call it while this process has
// only one thread. A failure is the text that the user sees: one sentence, or all errors of the file.
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

// The job of the URL or workflow file in the options. Load options override the file, for all of its workflows; users
// and rates of several are scaled, see shared_users.h.
Result<PlannedJob> job_of(const RunOptions& options, const Machine& machine);

}  // namespace hyperscale::intake
