// From options to a plan: everything but the addresses of its hosts, which host_endpoints.h fills in.
//
// Reads the files that the options name; otherwise pure. Any thread. A failure is kInvalidArgument with the one
// sentence that the user sees.
#pragma once

#include "base/result.h"
#include "load/loop/event_loop.h"
#include "node/run/run_options.h"
#include "plan/job.h"
#include "results/threshold.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::node {

// What a plan has to fit.
struct Machine {
  std::uint64_t descriptors_max = 1024;  // of one process
  std::uint32_t cores = 1;               // that this process may use
};

// Descriptors of an executor beside those of its users' connections.
inline constexpr std::uint64_t kSpareDescriptors = 50;

struct PlannedRun {
  plan::Plan plan;
  std::uint32_t executors = 1;
  load::LoopBackend backend = load::LoopBackend::kAuto;
  Duration time_limit{};  // zero: none
  std::vector<std::string> warnings;
};

// Of one URL.
Result<PlannedRun> plan_of(const RunOptions& options, const Machine& machine);

struct PlannedJob {
  plan::Job job;
  std::uint32_t executors = 1;
  load::LoopBackend backend = load::LoopBackend::kAuto;
  Duration time_limit{};                       // zero: none
  std::vector<results::Threshold> thresholds;  // of a workflow file
  std::vector<std::string> warnings;
};

// Of a URL or of a workflow file, whichever the options name. Options about the load beat what the file says, for all
// of its workflows. A file is run once for this, on the main thread.
Result<PlannedJob> job_of(const RunOptions& options, const Machine& machine);

}  // namespace hyperscale::node
