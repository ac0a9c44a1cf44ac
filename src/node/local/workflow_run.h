// WorkflowRun: one workflow of a run: its executors, when it begins and ends, what came of it.
//
// Thread rule: the one that runs `io`. Life: launch() starts the executors, on_workflow_ready() comes, start() once or
// leave_out(), on_workflow_done() comes when all its processes are gone. Observers may call anything but the
// destructor.
//
// A setup runs before the executors are let go, in a process of its own, and a teardown after them. A setup that fails
// fails the workflow; a teardown that fails is told.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "jobs/active_time.h"
#include "node/executors/executor_pool.h"
#include "plan/job.h"
#include "plan/load_command.h"
#include "results/run_result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::node {

class WorkflowRun;

class WorkflowObserver {
 public:
  virtual void on_workflow_ready(WorkflowRun& run) = 0;
  virtual void on_workflow_refused(WorkflowRun& run, const std::string& why) = 0;
  virtual void on_workflow_begun(WorkflowRun& run) = 0;  // its setup is done: counted_from() is known
  virtual void on_workflow_said(WorkflowRun& run, const std::string& sentence) = 0;
  virtual void on_executor_died(WorkflowRun& run, std::uint32_t executor, const std::string& sentence) = 0;
  virtual void on_workflow_done(WorkflowRun& run) = 0;

 protected:
  ~WorkflowObserver() = default;
};

struct WorkflowSetup {
  const plan::Workflow* workflow = nullptr;  // outlives the run
  std::uint32_t layer = 0;
  std::uint32_t first_executor = 0;  // number of its first one in the whole run
  std::vector<int> cores = {};       // one executor each; not empty
  load::LoopBackend backend = load::LoopBackend::kAuto;
  std::string program;
  std::vector<std::string> arguments;
  StreamHost* streams = nullptr;  // outlives the run
};

class WorkflowRun final : private PoolObserver {
 public:
  static Result<std::unique_ptr<WorkflowRun>> launch(asio::io_context& io, WorkflowSetup setup,
                                                     WorkflowObserver& observer);
  virtual ~WorkflowRun() = default;

  // Begins its start offset after `at`. `values` are for its functions. REQUIRES: on_workflow_ready() has come.
  void start(MonoTime at, std::vector<plan::SharedValue> values);
  // It will not be run, for this reason.
  void leave_out(std::string why);
  // kInvalidArgument with one sentence when it cannot be done.
  Status change(const plan::LoadCommand& command, MonoTime now);
  // What such a change cannot do because a share is lost: "executor 0 is lost: 20 of them run"; empty when it does all.
  std::string shortfall(const plan::LoadCommand& command) const;
  void stop();
  // At once; what was recorded stays.
  void kill();
  // See ExecutorPool.
  void look_after();
  // Everything stood still for so long: its executors have that much more time to end.
  void wait_longer(Duration still) {
    stood_still_ += still;
    if (deadline_ != MonoTime::max()) deadline_ = deadline_ + still;
  }
  // Ends executors that did not end in time.
  void give_up();

  const plan::Workflow& workflow() const { return *setup_.workflow; }
  const std::string& name() const { return workflow().plan.name; }
  const plan::Load& load() const { return workflow().plan.load; }
  std::uint32_t layer() const { return setup_.layer; }
  std::uint32_t first_executor() const { return setup_.first_executor; }
  bool started() const { return started_; }
  bool begun() const { return begun_; }
  bool done() const { return done_; }
  // Users of a closed loop or the rate of an open one, as they were last set; until then a stage is followed, to where
  // it is at that time.
  double target(MonoTime at) const;
  bool paused() const { return clock_.paused(); }
  bool left_out() const { return !left_out_.empty(); }
  // It was run and all of it, or it was stopped in order: what depends on it may run.
  bool completed() const { return started_ && done_ && !pool_->lost_a_share() && failure_.empty(); }
  // Why its setup failed; empty otherwise.
  const std::string& failure() const { return failure_; }
  // What it gives to that workflow.
  std::vector<plan::SharedValue> provided_to(const std::string& workflow) const;
  bool lost_a_share() const { return pool_->lost_a_share() && !left_out(); }
  // MonoTime::max() while a setup runs. A pause in the warm-up moves it.
  MonoTime counted_from(MonoTime now) const {
    return paused_in_warmup() ? counted_from_ + (now - clock_.paused_at()) : counted_from_;
  }
  // When it must have ended; none before it was started, nor with a count only.
  MonoTime deadline() const { return deadline_; }
  MonoTime last_end() const { return pool_->last_end(); }
  results::WindowTotals live() const { return pool_->live(); }
  // See ExecutorPool; steps as step_names() has them.
  std::vector<TallySource> sources(std::uint32_t first_step) const {
    return pool_->sources(setup_.first_executor, first_step);
  }
  std::uint32_t executors() const { return static_cast<std::uint32_t>(setup_.cores.size()); }
  // Without those whose share is lost.
  std::uint32_t executors_left() const { return executors() - static_cast<std::uint32_t>(pool_->lost().size()); }
  // Of the plan, and one for all series that a script names while it runs.
  std::vector<std::string> step_names() const;

  // Before done(): what was recorded so far.
  Result<results::RunResult> result() const;
  results::WorkflowReport report(const results::RunResult& result, MonoTime run_start) const;

 private:
  // The process of a setup or teardown.
  struct Actions final : PoolObserver {
    Actions(WorkflowRun& run, plan::ScriptPart which) : owner(run), part(which) {}
    void on_ready() override;
    void on_refused(std::uint32_t, const std::string& why) override { refused = why; }
    void on_died(std::uint32_t, const std::string&) override {}
    void on_log(load::LogLevel level, const std::string& text) override { owner.on_log(level, text); }
    void on_done() override;

    WorkflowRun& owner;
    const plan::ScriptPart part;
    std::string refused;
    std::unique_ptr<ExecutorPool> pool;
  };

  WorkflowRun(asio::io_context& io, WorkflowSetup setup, WorkflowObserver& observer)
      : io_(io), setup_(std::move(setup)), observer_(observer) {}
  Status run_actions(plan::ScriptPart part);
  Status can_change(const plan::LoadCommand& command) const;
  bool paused_in_warmup() const { return paused() && clock_.paused_at() < counted_from_; }
  void resume(MonoTime now);
  MonoTime end_of_patience() const;
  void actions_ended(const Actions& actions);
  void begin();
  void end();

  void on_ready() override { observer_.on_workflow_ready(*this); }
  void on_refused(std::uint32_t, const std::string& why) override { observer_.on_workflow_refused(*this, why); }
  void on_died(std::uint32_t executor, const std::string& sentence) override {
    observer_.on_executor_died(*this, executor, sentence);
  }
  void on_log(load::LogLevel level, const std::string& text) override;
  void on_done() override;

  asio::io_context& io_;
  const WorkflowSetup setup_;
  WorkflowObserver& observer_;
  std::unique_ptr<ExecutorPool> pool_;
  std::unique_ptr<Actions> actions_;
  std::vector<plan::SharedValue> values_;
  std::string left_out_;
  std::string failure_;
  bool started_ = false;
  bool begun_ = false;  // the executors were let go
  bool stopped_ = false;
  bool killed_ = false;
  bool changed_ = false;  // the load is not what the plan says; a pause leaves it as it was
  bool done_ = false;
  MonoTime start_;
  MonoTime counted_from_ = MonoTime::max();
  MonoTime ended_;
  MonoTime deadline_ = MonoTime::max();
  jobs::ActiveTime clock_;
  Duration stood_still_{};
  std::optional<double> set_target_;
};

using WorkflowRuns = std::vector<std::unique_ptr<WorkflowRun>>;

}  // namespace hyperscale::node
