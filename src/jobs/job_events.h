// Setup, events and actions of JobMachine, as values. Any thread.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "jobs/sequence_machine.h"
#include "plan/job.h"
#include "plan/load_command.h"
#include "results/threshold.h"

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace hyperscale::jobs {

// Ok if this machine can run `users` of a workflow on `executors`; otherwise an error of one sentence.
using UsersFit = std::function<Status(std::uint32_t users, std::uint32_t executors)>;

struct JobSetup {
  std::vector<SequenceSetup> workflows;          // ordered by stage
  std::vector<std::vector<std::size_t>> stages;  // indexes into `workflows`; stages run one after the other
  Duration time_limit{};                         // of the whole run; zero: no limit
  std::vector<results::RunThreshold> thresholds = {};
  std::vector<std::string> warnings = {};  // the first warnings of the result
  UsersFit users_fit = {};                 // pure; empty: any number fits
};
// The stages of a job on `pool` executors. Fails with one sentence, as plan::schedule_of() does. `job` must outlive the
// setup and machines built from it. REQUIRES: pool > 0.
Result<JobSetup> setup_of(const plan::Job& job, std::uint32_t pool);

// One share of the run.
struct ShareId {
  std::size_t workflow = 0;  // index into JobSetup::workflows
  plan::ScriptPart part = plan::ScriptPart::kSteps;
  auto operator<=>(const ShareId&) const = default;
};

// --- events
struct LaunchJob {};
struct ShareEvent {
  ShareId share;
  ShareMachine::Event event;  // from an executor: Launched, LaunchFailed, ExecutorReady ... ExecutorGone
};
struct ScriptLogged {  // a script logged a line
  std::size_t workflow = 0;
  std::string text;
};
struct Beat {};       // every kBeatInterval; a gap between beats is a standstill
struct Continued {};  // SIGCONT
struct ShareSight {
  ShareId share;
  Sight sight;
};
struct Tick {  // at the time of TickAt
  std::vector<ShareSight> sights;
};
// The first signal stops the run gracefully, the second at once; a hang-up never counts as the second.
struct Signal {
  bool is_hangup = false;
  std::uint64_t requests_in_flight = 0;
};
struct StopAsked {
  std::string workflow;  // empty: the whole run
  std::string why;       // "asked by hyperscale ctl"
};
struct ChangeAsked {
  plan::LoadRequest request;
};
struct Judged {  // answer to Judge
  Duration at{};
  std::vector<results::Verdict> verdicts;
};
struct Warned {  // the adapter adds a warning to the result
  std::string text;
};

// --- actions
struct ToExecutor {
  ShareId share;
  ExecutorCommand command;
};
struct Say {
  std::string sentence;
};
struct TickAt {  // replaces the previous TickAt
  MonoTime at;
};
struct JobStarted {  // the times of the run count from `at`
  MonoTime at;
};
struct Measure {  // record the figures now
  Duration at{};  // since counting began, without pauses; negative before
};
struct Judge {  // evaluate the thresholds now; comes after Measure
  Duration at{};
};
struct Changed {
  std::string what;  // "vus=200"
  Duration at{};
  std::string shortfall;  // which part of the change cannot be done, and why; empty: all is done
};
struct Answer {  // to StopAsked and ChangeAsked; the last action of that step
  Result<Changed> result;
};
struct JobOver {};  // all workflows are done, or the run has failed and all processes have ended

}  // namespace hyperscale::jobs
