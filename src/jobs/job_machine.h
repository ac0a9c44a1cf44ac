// JobMachine: controls a run of several workflows on one machine: stages, dependencies, the common start, the time
// limit, thresholds, changes, stops and the end. It follows base/core.h.
//
//   preparing -> running -> stopping -> over
//        \____________\_________________/ failed: all executors are killed first
//
// All executors of all stages are launched at once; when all are ready, the first stage starts kStartDelay later. A
// stage begins when the previous one has ended. Workflows that depend on a failed workflow are left out.
//
// Times exclude pauses, the time limit does not: the clock stops while all running workflows are paused. Ticks are on a
// grid of counted time. JobOver comes once, when all processes have ended; then only requests are answered. One thread.
#pragma once

#include "base/core.h"
#include "base/result.h"
#include "jobs/active_time.h"
#include "jobs/job_events.h"
#include "jobs/job_workflows.h"
#include "jobs/load_changes.h"
#include "jobs/suspension_watch.h"
#include "results/threshold_watch.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace hyperscale::jobs {

// The start time is sent this much ahead, so that all executors start at the same moment.
inline constexpr Duration kStartDelay = 5ms;
inline constexpr Duration kReadyPatience = 60s;
// Interval of ticks: script limits are checked often; without scripts ticks only serve windows of the result.
inline constexpr Duration kScriptTick = 100ms;
inline constexpr Duration kPlainTick = 1s;

class JobMachine {
 public:
  using Event = std::variant<LaunchJob, ShareEvent, ScriptLogged, Beat, Continued, Tick, Signal, StopAsked, ChangeAsked,
                             Judged, Warned>;
  using Action = std::variant<ToExecutor, Say, TickAt, JobStarted, Measure, Judge, Answer, JobOver>;

  // `now`: the time of construction, from which gaps between beats are measured.
  JobMachine(JobSetup setup, MonoTime now);

  Actions<Action> step(const Event& event, MonoTime now);

  const JobWorkflows& workflows() const { return workflows_; }
  const SequenceMachine& workflow(std::size_t index) const { return workflows_[index]; }
  bool started() const { return started_; }
  bool stopping() const { return stopping_; }
  bool aborted() const { return aborted_; }  // by a second signal, with requests in flight
  bool over() const { return over_; }
  bool paused() const { return clock_.paused(); }
  MonoTime start() const { return start_; }
  // When the first workflow ends its setup and warm-up; figures count from then on. max(): not known yet.
  MonoTime counted_from(MonoTime now) const { return workflows_.counted_from(now); }
  bool counting(MonoTime now) const { return counted_from(now) != MonoTime::max(); }
  // Time since counted_from(), without pauses; negative before it; zero while it is not known.
  Duration counted_time(MonoTime now) const;
  const ActiveTime& clock() const { return clock_; }

  // Why the run failed; kCanceled if it was stopped before its start.
  const std::optional<Error>& failure() const { return failure_; }
  const std::optional<results::Verdict>& stopped_by() const { return stopped_by_; }
  const std::vector<results::ChangeRecord>& changes() const { return changes_.records(); }
  // Warnings of the result.
  std::vector<std::string> warnings() const;

 private:
  using Out = Actions<Action>;

  void handle(const LaunchJob& event, MonoTime now, Out& out);
  void handle(const ShareEvent& event, MonoTime now, Out& out);
  void handle(const ScriptLogged& event, MonoTime now, Out& out);
  void handle(const Beat& event, MonoTime now, Out& out);
  void handle(const Continued& event, MonoTime now, Out& out);
  void handle(const Tick& event, MonoTime now, Out& out);
  void handle(const Signal& event, MonoTime now, Out& out);
  void handle(const StopAsked& event, MonoTime now, Out& out);
  void handle(const ChangeAsked& event, MonoTime now, Out& out);
  void handle(const Judged& event, MonoTime now, Out& out);
  void handle(const Warned& event, MonoTime now, Out& out);

  // Passes the event to one workflow and handles its reports.
  void step_workflow(std::size_t workflow, const SequenceMachine::Event& event, MonoTime now, Out& out);
  void step_all(const SequenceMachine::Event& event, MonoTime now, Out& out);
  void reported(std::size_t workflow, const SequenceMachine::Action& report, MonoTime now, Out& out);
  void workflow_ready(MonoTime now, Out& out);
  void workflow_done(MonoTime now, Out& out);
  void executor_died(std::size_t workflow, const ExecutorDied& death, MonoTime now, Out& out);
  void start_next_stage(MonoTime now, Out& out);

  void begin_stop(const std::string& why, MonoTime now, Out& out);
  void stop_workflow(const StopAsked& asked, MonoTime now, Out& out);
  void kill_all(MonoTime now, Out& out);
  void give_up(Error error, MonoTime now, Out& out);
  void look_for_standstill(MonoTime now, Out& out);
  void look_after(const Tick& tick, MonoTime now, Out& out);
  void keep_time_limit(MonoTime now, Out& out);
  MonoTime next_tick(MonoTime now) const;
  MonoTime time_limit_after(MonoTime now) const;

  std::string of(std::size_t workflow, const std::string& sentence) const;

  const Duration time_limit_;
  const UsersFit users_fit_;
  JobWorkflows workflows_;
  LoadChanges changes_;
  results::ThresholdWatch watch_;
  SuspensionWatch suspensions_;
  ActiveTime clock_;
  std::vector<std::string> warnings_;
  std::optional<Error> failure_;
  std::optional<results::Verdict> stopped_by_;
  const Duration interval_;
  std::size_t ready_ = 0;
  MonoTime start_;
  MonoTime ready_deadline_;
  bool started_ = false;
  bool stopping_ = false;
  bool aborted_ = false;
  bool over_ = false;
};

static_assert(Core<JobMachine>);

}  // namespace hyperscale::jobs
