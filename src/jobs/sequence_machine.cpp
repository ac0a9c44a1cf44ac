#include "jobs/sequence_machine.h"

#include "base/check.h"
#include "base/number_text.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::jobs {
namespace {

using plan::ScriptPart;

ShareSetup steps_of(const SequenceSetup& setup) {
  CHECK(setup.workflow != nullptr && !setup.cores.empty() && setup.cores.size() == setup.segments.size(),
        "a workflow with {} cores and {} segments", setup.cores.size(), setup.segments.size());
  const plan::Plan& plan = setup.workflow->plan;
  return {.part = ScriptPart::kSteps, .segments = setup.segments, .load = plan.load, .scripted = plan.script.exists()};
}

}  // namespace

SequenceMachine::SequenceMachine(SequenceSetup setup) : setup_(std::move(setup)), steps_(steps_of(setup_)) {}

Actions<SequenceMachine::Action> SequenceMachine::step(const Event& event, MonoTime now) {
  Out out;
  if (done_) return out;
  std::visit([&](const auto& kind) { handle(kind, now, out); }, event);
  return out;
}

ShareMachine* SequenceMachine::share(ScriptPart part) {
  if (part == ScriptPart::kSteps) return &steps_;
  std::optional<ShareMachine>& action = part == ScriptPart::kSetup ? before_ : after_;
  return action ? &*action : nullptr;
}

void SequenceMachine::step_part(ScriptPart part, const ShareMachine::Event& event, MonoTime now, Out& out) {
  ShareMachine* to = share(part);
  CHECK(to != nullptr, "workflow {} has no such part now", name());
  for (const ShareMachine::Action& action : to->step(event, now)) {
    if (const auto* command = std::get_if<ExecutorCommand>(&action)) {
      out.emplace_back(PartCommand{part, *command});
    } else if (part == ScriptPart::kSteps) {
      steps_reported(action, now, out);
    } else {
      action_reported(part, action, now, out);
    }
  }
}

void SequenceMachine::steps_reported(const ShareMachine::Action& report, MonoTime now, Out& out) {
  if (std::holds_alternative<ShareReady>(report)) out.emplace_back(WorkflowReady{});
  if (const auto* unlaunched = std::get_if<ShareUnlaunched>(&report))
    out.emplace_back(WorkflowUnlaunched{unlaunched->error});
  if (const auto* refused = std::get_if<ShareRefused>(&report)) out.emplace_back(WorkflowRefused{refused->why});
  if (const auto* died = std::get_if<ExecutorDied>(&report)) out.emplace_back(*died);
  if (std::holds_alternative<ShareLate>(report)) out.emplace_back(WorkflowLate{});
  if (std::holds_alternative<ShareDone>(report)) steps_done(now, out);
}

// Deaths and refusals of a setup or teardown are reported by failure().
void SequenceMachine::action_reported(ScriptPart part, const ShareMachine::Action& report, MonoTime now, Out& out) {
  if (std::holds_alternative<ShareReady>(report))
    return step_part(part, StartShare{std::max(start_, now), values_}, now, out);
  if (!std::holds_alternative<ShareDone>(report)) return;
  if (part == ScriptPart::kSetup) return setup_done(now, out);
  if (const std::string failure = after_->failure(); !failure.empty())
    out.emplace_back(WorkflowSaid{"teardown failed: " + failure});
  end(out);
}

void SequenceMachine::launch_action(ScriptPart part, MonoTime now, Out& out) {
  ShareSetup setup{.part = part,
                   .segments = plan::segments_of(1, 1),
                   .load = load(),
                   .scripted = workflow().plan.script.exists(),
                   .restarts_max = 0};
  (part == ScriptPart::kSetup ? before_ : after_).emplace(std::move(setup));
  step_part(part, LaunchShare{}, now, out);
}

void SequenceMachine::handle(const LaunchWorkflow&, MonoTime now, Out& out) {
  step_part(ScriptPart::kSteps, LaunchShare{}, now, out);
}

void SequenceMachine::handle(const StartWorkflow& event, MonoTime now, Out& out) {
  CHECK(!started_ && left_out_.empty(), "workflow {} is started twice or left out", name());
  started_ = true;
  start_ = event.at + workflow().start_offset;
  values_ = event.values;
  if (workflow().plan.script.has_setup) return launch_action(ScriptPart::kSetup, now, out);
  begin(now, out);
}

void SequenceMachine::setup_done(MonoTime now, Out& out) {
  if (steps_.done()) return end(out);  // all executors were lost or killed meanwhile
  const std::string failure = before_->failure();
  if (stopped_ || killed_ || !failure.empty()) {
    if (!stopped_ && !killed_) failure_ = before_->unlaunched() ? failure : "setup failed: " + failure;
    return step_part(ScriptPart::kSteps, Kill{}, now, out);
  }
  for (plan::SharedValue& value : before_->values()) values_.push_back(std::move(value));
  start_ = std::max(start_, now);
  begin(now, out);
}

void SequenceMachine::begin(MonoTime now, Out& out) {
  step_part(ScriptPart::kSteps, StartShare{start_, values_}, now, out);
  out.emplace_back(WorkflowBegun{});
}

void SequenceMachine::steps_done(MonoTime now, Out& out) {
  if (before_ && !before_->done()) return step_part(ScriptPart::kSetup, Kill{}, now, out);
  if (begun() && !killed_ && workflow().plan.script.has_teardown) return launch_action(ScriptPart::kTeardown, now, out);
  end(out);
}

void SequenceMachine::end(Out& out) {
  done_ = true;
  out.emplace_back(WorkflowDone{});
}

void SequenceMachine::handle(const PartEvent& event, MonoTime now, Out& out) {
  step_part(event.part, event.event, now, out);
}

void SequenceMachine::handle(const LeaveOut& event, MonoTime now, Out& out) {
  CHECK(!started_, "workflow {} is under way", name());
  left_out_ = event.why;
  step_part(ScriptPart::kSteps, Kill{}, now, out);
}

void SequenceMachine::handle(const ChangeLoad& event, MonoTime now, Out& out) {
  using Kind = plan::LoadChangeKind;
  const Kind kind = event.command.kind;
  const bool open = load().pacing == plan::Pacing::kOpen;
  if (kind == Kind::kUsers || kind == Kind::kRate) changed_ = true;
  if (kind == (open ? Kind::kRate : Kind::kUsers)) set_target_ = event.command.value;
  step_part(ScriptPart::kSteps, event, now, out);
}

void SequenceMachine::handle(const Stop&, MonoTime now, Out& out) {
  if (!started_ || std::exchange(stopped_, true)) return;
  if (begun()) return step_part(ScriptPart::kSteps, Stop{}, now, out);  // a running teardown ends by itself
  if (before_) step_part(ScriptPart::kSetup, Stop{}, now, out);
}

void SequenceMachine::handle(const Kill&, MonoTime now, Out& out) {
  killed_ = true;
  for (const ScriptPart part : {ScriptPart::kTeardown, ScriptPart::kSetup, ScriptPart::kSteps})
    if (share(part) != nullptr && !done_) step_part(part, Kill{}, now, out);
}

void SequenceMachine::handle(const StandStill& event, MonoTime now, Out& out) {
  for (const ScriptPart part : {ScriptPart::kSteps, ScriptPart::kSetup, ScriptPart::kTeardown})
    if (share(part) != nullptr) step_part(part, event, now, out);
}

// Limits do not apply to executors that wait for their start: their figures do not count yet.
void SequenceMachine::handle(const LookAfterWorkflow& event, MonoTime now, Out& out) {
  for (const ScriptPart part : {ScriptPart::kSteps, ScriptPart::kSetup, ScriptPart::kTeardown}) {
    if (share(part) == nullptr || (part == ScriptPart::kSteps && !begun())) continue;
    LookAfter look;
    for (const PartSight& sight : event.sights)
      if (sight.part == part) look.sights.push_back(sight.sight);
    step_part(part, look, now, out);
  }
}

std::vector<plan::SharedValue> SequenceMachine::provided_to(const std::string& workflow) const {
  std::vector<plan::SharedValue> values = steps_.values();
  std::erase_if(values, [&](const plan::SharedValue& value) {
    return !plan::is_for(this->workflow().plan.script, value.key, workflow);
  });
  return values;
}

// No other executor takes over a lost segment: iterations would run twice or under the numbers of others.
std::string SequenceMachine::shortfall(const plan::LoadCommand& command) const {
  std::vector<std::uint32_t> lost = steps_.lost();
  const bool users = command.kind == plan::LoadChangeKind::kUsers, rate = command.kind == plan::LoadChangeKind::kRate;
  if (lost.empty() || !(users || rate) || command.value == 0) return {};
  for (std::uint32_t& executor : lost) executor += setup_.first_executor;
  const double left = 1.0 - static_cast<double>(lost.size()) / static_cast<double>(setup_.segments.size());
  return fmt::format(
      "{} {} {} lost: {}", lost.size() == 1 ? "executor" : "executors", fmt::join(lost, ", "),
      lost.size() == 1 ? "is" : "are",
      users ? fmt::format("{} of them run", steps_.users_left_of(static_cast<std::uint64_t>(command.value)))
            : fmt::format("{} of it is left", rate_text(command.value * left)));
}

}  // namespace hyperscale::jobs
