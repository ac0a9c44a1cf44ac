// SequenceMachine: controls one workflow on one machine: setup, steps and teardown, each a share. It follows
// base/core.h. (In a fleet the manager sequences them: a setup runs once per workflow and datacenter.)
//
//   launched -> ready -> [setup] -> begun -> [teardown] -> done
//                  \________________________________________/   left out, stopped or killed
//
// The executors of the steps are launched first and wait for the setup; setup and teardown have a process each. A
// failed setup fails the workflow; a failed teardown is reported. A Stop during the setup ends the workflow after it, a
// running teardown finishes; a Kill skips the teardown. WorkflowDone comes once, when all processes of all parts have
// ended; no action follows it. One thread.
#pragma once

#include "base/core.h"
#include "base/result.h"
#include "jobs/sequence_events.h"
#include "jobs/share_machine.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace hyperscale::jobs {

class SequenceMachine {
 public:
  using Event = std::variant<PartEvent, LaunchWorkflow, StartWorkflow, LeaveOut, ChangeLoad, Stop, Kill, StandStill,
                             LookAfterWorkflow>;
  using Action = std::variant<PartCommand, WorkflowReady, WorkflowUnlaunched, WorkflowRefused, WorkflowBegun,
                              WorkflowSaid, ExecutorDied, WorkflowLate, WorkflowDone>;

  explicit SequenceMachine(SequenceSetup setup);

  Actions<Action> step(const Event& event, MonoTime now);

  // kInvalidArgument with one sentence if it cannot be done now.
  Status can_change(const plan::LoadCommand& command) const { return steps_.can_change(command); }
  // What this change cannot do because a share is lost: "executor 0 is lost: 20 of them run"; empty: nothing.
  std::string shortfall(const plan::LoadCommand& command) const;

  const SequenceSetup& setup() const { return setup_; }
  const plan::Workflow& workflow() const { return *setup_.workflow; }
  const plan::Load& load() const { return workflow().plan.load; }
  const std::string& name() const { return workflow().plan.name; }
  const ShareMachine& steps() const { return steps_; }
  bool started() const { return started_; }
  bool begun() const { return steps_.started(); }
  bool stopped() const { return stopped_; }
  bool done() const { return done_; }
  bool paused() const { return steps_.times().paused(); }
  const std::string& left_out() const { return left_out_; }  // the reason; empty: not left out
  const std::string& failure() const { return failure_; }    // why its setup failed; empty: it did not
  bool lost_a_share() const { return steps_.lost_any() && left_out_.empty(); }
  // Ran completely or was stopped gracefully: workflows that depend on it may run.
  bool completed() const { return started_ && done_ && !steps_.lost_any() && failure_.empty(); }
  // Values that it provides to `workflow`.
  std::vector<plan::SharedValue> provided_to(const std::string& workflow) const;
  // max() before the steps start.
  MonoTime counted_from(MonoTime now) const { return steps_.times().counted_from(now); }
  MonoTime deadline() const { return steps_.deadline(); }
  bool changed() const { return changed_; }  // users or rate differ from the plan; a pause does not count
  // Users of a closed loop or rate of an open one, as last set; nullopt: as planned.
  std::optional<double> set_target() const { return set_target_; }

 private:
  using Out = Actions<Action>;

  void handle(const PartEvent& event, MonoTime now, Out& out);
  void handle(const LaunchWorkflow& event, MonoTime now, Out& out);
  void handle(const StartWorkflow& event, MonoTime now, Out& out);
  void handle(const LeaveOut& event, MonoTime now, Out& out);
  void handle(const ChangeLoad& event, MonoTime now, Out& out);
  void handle(const Stop& event, MonoTime now, Out& out);
  void handle(const Kill& event, MonoTime now, Out& out);
  void handle(const StandStill& event, MonoTime now, Out& out);
  void handle(const LookAfterWorkflow& event, MonoTime now, Out& out);

  ShareMachine* share(plan::ScriptPart part);
  // Passes the event to the share of that part and handles its reports.
  void step_part(plan::ScriptPart part, const ShareMachine::Event& event, MonoTime now, Out& out);
  void steps_reported(const ShareMachine::Action& report, MonoTime now, Out& out);
  void action_reported(plan::ScriptPart part, const ShareMachine::Action& report, MonoTime now, Out& out);
  void launch_action(plan::ScriptPart part, MonoTime now, Out& out);
  void setup_done(MonoTime now, Out& out);
  void steps_done(MonoTime now, Out& out);
  void begin(MonoTime now, Out& out);
  void end(Out& out);

  const SequenceSetup setup_;
  ShareMachine steps_;
  std::optional<ShareMachine> before_;  // the setup
  std::optional<ShareMachine> after_;   // the teardown
  std::vector<plan::SharedValue> values_;
  std::string left_out_;
  std::string failure_;
  MonoTime start_;
  bool started_ = false;
  bool stopped_ = false;
  bool killed_ = false;
  bool changed_ = false;
  bool done_ = false;
  std::optional<double> set_target_;
};

static_assert(Core<SequenceMachine>);

}  // namespace hyperscale::jobs
