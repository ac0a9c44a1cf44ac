// What a JobMachine is given, what happens to it and what it has done, as values. Any thread.
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

// Whether this machine can carry so many users of a workflow with so many executors; else one sentence.
using UsersFit = std::function<Status(std::uint32_t users, std::uint32_t executors)>;

struct JobSetup {
  std::vector<SequenceSetup> workflows;          // in the order of their stages
  std::vector<std::vector<std::size_t>> stages;  // indexes of them; one after the other
  Duration time_limit{};                         // of the whole run; zero: none
  std::vector<results::RunThreshold> thresholds = {};
  std::vector<std::string> warnings = {};  // that the result starts with
  UsersFit users_fit = {};                 // pure; empty: all do
};
// The stages of a job on so many executors. Fails with one sentence, as plan::schedule_of() does. `job` outlives the
// setup and what is made of it. REQUIRES: pool > 0.
Result<JobSetup> setup_of(const plan::Job& job, std::uint32_t pool);

// A share of the run, or of what there is of it now.
struct ShareId {
  std::size_t workflow = 0;  // index in the setup
  plan::ScriptPart part = plan::ScriptPart::kSteps;
  auto operator<=>(const ShareId&) const = default;
};

// --- what happens
struct LaunchJob {};
struct ShareEvent {
  ShareId share;
  ShareMachine::Event event;  // of an executor: Launched, LaunchFailed, ExecutorReady ... ExecutorGone
};
struct ScriptLogged {  // a line of a script
  std::size_t workflow = 0;
  std::string text;
};
struct Beat {};       // every kBeatInterval: what does not come was a standstill
struct Continued {};  // SIGCONT
struct ShareSight {
  ShareId share;
  Sight sight;
};
struct Tick {  // when TickAt said
  std::vector<ShareSight> sights;
};
// The first one stops the run in order, the second one at once, unless it is a hang-up.
struct Signal {
  bool is_hangup = false;
  std::uint64_t requests_in_flight = 0;
};
struct StopAsked {
  std::string workflow;  // empty: the run
  std::string why;       // "asked by hyperscale ctl"
};
struct ChangeAsked {
  plan::LoadRequest request;
};
struct Judged {  // the answer to Judge
  Duration at{};
  std::vector<results::Verdict> verdicts;
};
struct Warned {  // what the result has to warn of, beside what the machine knows
  std::string text;
};

// --- what is to be done
struct ToExecutor {
  ShareId share;
  ExecutorCommand command;
};
struct Say {
  std::string sentence;
};
struct TickAt {  // replaces the last one
  MonoTime at;
};
struct JobStarted {  // the moment from which the run's times count
  MonoTime at;
};
struct Measure {  // the figures are due
  Duration at{};  // since counting began, without pauses; negative before
};
struct Judge {  // the thresholds are due; after Measure
  Duration at{};
};
struct Changed {
  std::string what;  // "vus=200"
  Duration at{};
  std::string shortfall;  // what of it cannot be done, and why; empty: all of it is
};
struct Answer {  // to StopAsked and ChangeAsked: the last action of that step
  Result<Changed> result;
};
struct JobOver {};  // all workflows are done, or the run has failed and all processes are gone

}  // namespace hyperscale::jobs
