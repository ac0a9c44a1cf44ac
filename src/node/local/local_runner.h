// LocalRunner: runs a job on this machine, without a cluster: it starts executors for every workflow, runs the
// workflows in their order, shows the progress, can be stopped, and returns the merged result.
//
// A workflow whose dependency failed is skipped and reported; the others continue.
//
// Thread rule: run() blocks its thread and handles SIGINT, SIGTERM and SIGHUP of the process meanwhile. The first
// signal stops the run in order, a second one at once unless it is a SIGHUP; both still return what was recorded. After
// that SIGINT or SIGTERM ends the waiting for slow reporters.
#pragma once

#include "base/glyphs.h"
#include "base/redactor.h"
#include "base/result.h"
#include "base/time.h"
#include "load/loop/event_loop.h"
#include "node/local/ui_mode.h"
#include "node/run_api/run_api_setup.h"
#include "plan/job.h"
#include "report/reporters/report_queue.h"
#include "results/run_result.h"
#include "results/threshold.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::node {

struct RunRequest {
  std::string name;
  plan::Job job;                // complete, with resolved hosts
  std::uint32_t executors = 0;  // in total; zero: one per core that this process may use
  load::LoopBackend backend = load::LoopBackend::kAuto;
  UiMode ui = UiMode::kFull;
  Glyphs glyphs = Glyphs::kUnicode;
  Duration timeout{};                                  // of the whole run, then stops in order; zero: none
  std::vector<results::RunThreshold> thresholds = {};  // abort_on_fail stops the run in order
  std::map<std::string, std::string> tags;
  std::vector<std::string> warnings;  // initial warnings of the result
  std::string control_folder;         // empty: no control socket
  std::optional<RunApiSetup> api = {};
  // Adds reporters that follow the run; run() fails with its error.
  std::function<Status(report::ReportQueue&)> add_reporters = {};
  // How executors are started; see PoolSetup.
  std::string program = "/proc/self/exe";
  std::vector<std::string> arguments = {"hyperscale", "executor"};
  Redactor redactor = {};  // applied to live output; the result is not redacted
};

struct RunEnd {
  results::RunResult result;
  bool aborted = false;                             // by a second signal, with requests in flight
  std::optional<results::Verdict> stopped_by = {};  // threshold that ended it early
  std::optional<Error> unreported = {};             // why a reporter ended early
};

// Fails, with one sentence for the user, if the run could not be done at all; kCanceled if it was stopped before its
// start.
Result<RunEnd> run(const RunRequest& request);

}  // namespace hyperscale::node
