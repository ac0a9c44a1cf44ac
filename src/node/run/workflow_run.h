// WorkflowRun: one workflow of a run: its executors, when it begins and ends, what came of it.
//
// Thread rule: the one that runs `io`. Life: launch() starts the executors, on_workflow_ready() comes, start() once or
// leave_out(), on_workflow_done() comes when all its processes are gone. Observers may call anything but the
// destructor.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "node/run/executor_pool.h"
#include "plan/job.h"
#include "results/run_result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::node {

class WorkflowRun;

class WorkflowObserver {
 public:
  virtual void on_workflow_ready(WorkflowRun& run) = 0;
  virtual void on_workflow_refused(WorkflowRun& run, const std::string& why) = 0;
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
};

class WorkflowRun final : private PoolObserver {
 public:
  static Result<std::unique_ptr<WorkflowRun>> launch(asio::io_context& io, WorkflowSetup setup,
                                                     WorkflowObserver& observer);
  virtual ~WorkflowRun() = default;

  // Begins its start offset after `at`. REQUIRES: on_workflow_ready() has come.
  void start(MonoTime at);
  // It will not be run, for this reason.
  void leave_out(std::string why);
  void stop();
  // At once; what was recorded stays.
  void kill() { pool_->kill(); }
  // Ends executors that did not end in time.
  void give_up();

  const plan::Workflow& workflow() const { return *setup_.workflow; }
  const std::string& name() const { return workflow().plan.name; }
  const plan::Load& load() const { return workflow().plan.load; }
  std::uint32_t layer() const { return setup_.layer; }
  std::uint32_t first_executor() const { return setup_.first_executor; }
  bool started() const { return started_; }
  bool done() const { return done_; }
  bool left_out() const { return !left_out_.empty(); }
  // It was run and all of it, or it was stopped in order: what depends on it may run.
  bool completed() const { return started_ && done_ && !pool_->lost_a_share(); }
  bool lost_a_share() const { return pool_->lost_a_share() && !left_out(); }
  MonoTime counted_from() const { return counted_from_; }
  // When it must have ended; none before it was started, nor with a count only.
  MonoTime deadline() const { return deadline_; }
  MonoTime last_end() const { return pool_->last_end(); }
  load::LiveReading live() const { return pool_->live(); }

  // REQUIRES: done().
  Result<results::RunResult> result() const;
  results::WorkflowReport report(const results::RunResult& result, MonoTime run_start) const;

 private:
  WorkflowRun(WorkflowSetup setup, WorkflowObserver& observer) : setup_(std::move(setup)), observer_(observer) {}

  void on_ready() override { observer_.on_workflow_ready(*this); }
  void on_refused(std::uint32_t, const std::string& why) override { observer_.on_workflow_refused(*this, why); }
  void on_died(std::uint32_t executor, const std::string& sentence) override {
    observer_.on_executor_died(*this, executor, sentence);
  }
  void on_done() override;

  const WorkflowSetup setup_;
  WorkflowObserver& observer_;
  std::unique_ptr<ExecutorPool> pool_;
  std::string left_out_;
  bool started_ = false;
  bool stopped_ = false;
  bool done_ = false;
  MonoTime start_;
  MonoTime counted_from_;
  MonoTime ended_;
  MonoTime deadline_ = MonoTime::max();
};

}  // namespace hyperscale::node
