// LocalRunner: runs a job on this machine, without any cluster: it starts executors for every workflow, runs the
// workflows in their order, shows how the run is getting on, can be stopped, and gives the merged result.
//
// A workflow whose dependency failed is not run and said so; the others go on.
//
// Thread rule: run() blocks its thread and handles SIGINT, SIGTERM and SIGHUP of the process meanwhile. The first
// signal stops the run in order, a second one at once unless it is a SIGHUP; both still give what was recorded.
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
  plan::Job job;                // complete: hosts are resolved
  std::uint32_t executors = 0;  // of the whole pool; zero: one per core that this process may use
  load::LoopBackend backend = load::LoopBackend::kAuto;
  UiMode ui = UiMode::kFull;
  Glyphs glyphs = Glyphs::kUnicode;
  Duration timeout{};  // of the whole run: it is stopped in order after this; zero: none
  std::vector<results::RunThreshold> thresholds = {};  // one with abort_on_fail stops the run in order
  std::map<std::string, std::string> tags;
  std::vector<std::string> warnings;  // that the result starts with
  std::string control_folder;         // empty: the run cannot be reached from outside
  std::optional<RunApiSetup> api = {};
  // Adds those who follow the run while it goes on; what it fails with is the answer of run().
  std::function<Status(report::ReportQueue&)> add_reporters = {};
  // How executors are started; see PoolSetup.
  std::string program = "/proc/self/exe";
  std::vector<std::string> arguments = {"hyperscale", "executor"};
  Redactor redactor = {};  // of everything that is shown or sent while it runs; the result is left as it is
};

struct RunEnd {
  results::RunResult result;
  bool aborted = false;                             // by a second signal, with requests in flight
  std::optional<results::Verdict> stopped_by = {};  // the threshold that ended it early
  std::optional<Error> unreported = {};             // why a reporter ended early
};

// Fails with the one sentence that the user sees when the run could not be done at all; kCanceled when it was stopped
// before its start.
Result<RunEnd> run(const RunRequest& request);

}  // namespace hyperscale::node
