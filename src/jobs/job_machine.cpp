#include "jobs/job_machine.h"

#include "base/check.h"
#include "base/duration_text.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::jobs {

JobMachine::JobMachine(JobSetup setup, MonoTime now)
    : time_limit_(setup.time_limit),
      users_fit_(std::move(setup.users_fit)),
      workflows_(std::move(setup.workflows), std::move(setup.stages)),
      watch_(std::move(setup.thresholds)),
      suspensions_(now),
      warnings_(std::move(setup.warnings)),
      interval_(workflows_.scripted() ? kScriptTick : kPlainTick) {
  CHECK(workflows_.size() > 0, "a run without a workflow");
}

Actions<JobMachine::Action> JobMachine::step(const Event& event, MonoTime now) {
  Out out;
  const bool may_be_late = std::holds_alternative<StopAsked>(event) || std::holds_alternative<ChangeAsked>(event) ||
                           std::holds_alternative<Warned>(event);
  if (over_ && !may_be_late) return out;
  std::visit([&](const auto& kind) { handle(kind, now, out); }, event);
  return out;
}

Duration JobMachine::counted_time(MonoTime now) const {
  return counting(now) ? clock_.active_within(counted_from(now), now) : Duration::zero();
}

std::vector<std::string> JobMachine::warnings() const {
  std::vector<std::string> all = warnings_;
  if (std::string suspended = suspensions_.warning(); !suspended.empty()) all.push_back(std::move(suspended));
  return all;
}

std::string JobMachine::of(std::size_t workflow, const std::string& sentence) const {
  return workflows_.size() == 1 ? sentence : fmt::format("{}: {}", workflows_[workflow].name(), sentence);
}

void JobMachine::step_workflow(std::size_t workflow, const SequenceMachine::Event& event, MonoTime now, Out& out) {
  for (const SequenceMachine::Action& action : workflows_[workflow].step(event, now)) {
    if (const auto* to = std::get_if<PartCommand>(&action)) {
      out.emplace_back(ToExecutor{{workflow, to->part}, to->command});
    } else {
      reported(workflow, action, now, out);
    }
  }
}

void JobMachine::step_all(const SequenceMachine::Event& event, MonoTime now, Out& out) {
  for (std::size_t i = 0; i < workflows_.size(); ++i) step_workflow(i, event, now, out);
}

void JobMachine::reported(std::size_t workflow, const SequenceMachine::Action& report, MonoTime now, Out& out) {
  if (std::holds_alternative<WorkflowReady>(report)) workflow_ready(now, out);
  if (const auto* unlaunched = std::get_if<WorkflowUnlaunched>(&report)) give_up(unlaunched->error, now, out);
  if (const auto* refused = std::get_if<WorkflowRefused>(&report)) {
    const std::string& name = workflows_[workflow].name();
    give_up({ErrorCode::kInvalidArgument,
             workflows_.size() == 1 ? refused->why : fmt::format("workflow {}: {}", name, refused->why)},
            now, out);
  }
  if (std::holds_alternative<WorkflowBegun>(report)) clock_.follow(workflows_.paused(), now);
  if (const auto* said = std::get_if<WorkflowSaid>(&report)) out.emplace_back(Say{of(workflow, said->sentence)});
  if (const auto* death = std::get_if<ExecutorDied>(&report)) executor_died(workflow, *death, now, out);
  if (std::holds_alternative<WorkflowLate>(report))
    warnings_.emplace_back("an executor did not end in time and was killed");
  if (std::holds_alternative<WorkflowDone>(report)) workflow_done(now, out);
}

void JobMachine::handle(const LaunchJob&, MonoTime now, Out& out) {
  ready_deadline_ = now + kReadyPatience;
  step_all(LaunchWorkflow{}, now, out);
  out.emplace_back(TickAt{ready_deadline_});
}

void JobMachine::handle(const ShareEvent& event, MonoTime now, Out& out) {
  step_workflow(event.share.workflow, PartEvent{event.share.part, event.event}, now, out);
}

void JobMachine::workflow_ready(MonoTime now, Out& out) {
  if (++ready_ < workflows_.size() || failure_) return;
  start_ = now + kStartDelay;
  started_ = true;
  out.emplace_back(JobStarted{start_});
  start_next_stage(now, out);
  out.emplace_back(TickAt{start_});
}

// Skips stages in which no workflow can run.
void JobMachine::start_next_stage(MonoTime now, Out& out) {
  bool any = false;
  for (auto stage = workflows_.take_stage(); !stage.empty(); stage = workflows_.take_stage()) {
    for (const std::size_t each : stage) {
      // Left out, or all its executors died while they waited for the start.
      if (!workflows_[each].left_out().empty() || workflows_[each].done()) continue;
      if (const std::string* failed = workflows_.failed_dependency(each)) {
        step_workflow(each, LeaveOut{fmt::format("workflow {}, on which it depends, failed", *failed)}, now, out);
        continue;
      }
      step_workflow(each, StartWorkflow{now + kStartDelay, workflows_.values_for(each)}, now, out);
      any = true;
    }
    if (any) return;
  }
}

void JobMachine::executor_died(std::size_t workflow, const ExecutorDied& death, MonoTime now, Out& out) {
  const SequenceMachine& of = workflows_[workflow];
  const std::string text = fmt::format("executor {}: {}", of.setup().first_executor + death.executor, death.sentence);
  if (!started_ && of.lost_a_share()) return give_up({ErrorCode::kInternal, text}, now, out);
  out.emplace_back(Say{text});
}

void JobMachine::workflow_done(MonoTime now, Out& out) {
  clock_.follow(workflows_.paused(), now);
  if (!workflows_.all_done()) {
    if (started_ && !stopping_ && !failure_ && workflows_.stage_over()) start_next_stage(now, out);
    return;
  }
  if (std::exchange(over_, true)) return;
  const std::string& failed = workflows_[0].failure();
  if (workflows_.size() == 1 && !failed.empty() && !failure_) failure_ = Error{ErrorCode::kUnavailable, failed};
  out.emplace_back(JobOver{});
}

void JobMachine::handle(const ScriptLogged& event, MonoTime, Out& out) {
  out.emplace_back(Say{of(event.workflow, event.text)});
}

void JobMachine::handle(const Warned& event, MonoTime, Out&) {
  warnings_.push_back(event.text);
}

void JobMachine::handle(const Signal& event, MonoTime now, Out& out) {
  // A closed terminal sends SIGHUP from the kernel and from the shell: the second one is not a second request.
  if (event.is_hangup && stopping_) return;
  if (!started_) return give_up({ErrorCode::kCanceled, "stopped before the start"}, now, out);
  if (aborted_) return;
  if (!stopping_) {
    return begin_stop(fmt::format("waiting up to {} for {} requests in flight; press Ctrl-C again to stop now",
                                  format_duration(workflows_.graceful_stop()), event.requests_in_flight),
                      now, out);
  }
  aborted_ = true;
  warnings_.push_back(
      fmt::format("stopped at once: {} requests that were in flight are not counted", event.requests_in_flight));
  kill_all(now, out);
}

void JobMachine::begin_stop(const std::string& why, MonoTime now, Out& out) {
  if (!started_) return give_up({ErrorCode::kCanceled, "stopped before the start"}, now, out);
  if (std::exchange(stopping_, true)) return;
  out.emplace_back(Say{"stopping: " + why});
  for (std::size_t i = 0; i < workflows_.size(); ++i) {
    if (workflows_[i].started()) {
      step_workflow(i, Stop{}, now, out);
    } else if (workflows_[i].left_out().empty()) {
      step_workflow(i, LeaveOut{"the run was stopped before it began"}, now, out);
    }
  }
}

void JobMachine::give_up(Error error, MonoTime now, Out& out) {
  if (!failure_) failure_ = std::move(error);
  kill_all(now, out);
}

void JobMachine::kill_all(MonoTime now, Out& out) {
  step_all(Kill{}, now, out);
}

void JobMachine::handle(const StopAsked& event, MonoTime now, Out& out) {
  if (!event.workflow.empty()) return stop_workflow(event, now, out);
  if (!over_) begin_stop(event.why, now, out);
  out.emplace_back(Answer{Changed{.what = "stop", .at = counted_time(now), .shortfall = {}}});
}

void JobMachine::stop_workflow(const StopAsked& asked, MonoTime now, Out& out) {
  const auto workflow = LoadChanges::to_stop(asked.workflow, workflows_);
  if (!workflow) return void(out.emplace_back(Answer{fail(workflow.error())}));
  const Duration at = counted_time(now);
  step_workflow(*workflow, Stop{}, now, out);
  changes_.record(at, "stop", workflows_.size() == 1 ? "" : asked.workflow);
  out.emplace_back(Say{fmt::format("stopping {}: {}", asked.workflow, asked.why)});
  out.emplace_back(Answer{Changed{.what = "stop", .at = at, .shortfall = {}}});
}

void JobMachine::handle(const ChangeAsked& event, MonoTime now, Out& out) {
  const plan::LoadRequest& asked = event.request;
  const auto meant = LoadChanges::meant_by(asked, workflows_, users_fit_);
  if (!meant) return void(out.emplace_back(Answer{fail(meant.error())}));
  if (const Status room = changes_.has_room(asked.command.kind, meant->size()); !room)
    return void(out.emplace_back(Answer{fail(room.error())}));
  const Duration at = counted_time(now);
  Changed changed{.what = plan::text_of(asked.command), .at = at, .shortfall = {}};
  for (const std::size_t each : *meant) {
    const SequenceMachine& workflow = workflows_[each];
    step_workflow(each, ChangeLoad{asked.command, now - workflow.steps().times().start()}, now, out);
    changes_.record(at, changed.what, workflows_.size() == 1 ? "" : workflow.name());
    if (meant->size() == 1) changed.shortfall = workflow.shortfall(asked.command);
  }
  clock_.follow(workflows_.paused(), now);
  out.emplace_back(Say{fmt::format("changed: {}{}{}", changed.what,
                                   asked.workflow.empty() || workflows_.size() == 1 ? "" : " of " + asked.workflow,
                                   changed.shortfall.empty() ? "" : fmt::format(" ({})", changed.shortfall))});
  out.emplace_back(Answer{std::move(changed)});
}

}  // namespace hyperscale::jobs
