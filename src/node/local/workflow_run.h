// WorkflowRun: the processes of one workflow of a run: a pool of executors for its steps and, while they run, one for
// its setup or teardown. It carries out what the workflow's SequenceMachine asks for, passes on what executors report,
// and reads what they have recorded. It decides nothing.
//
// Thread rule: the one that runs `io`. The machine and the observer outlive it; the observer is called from `io` only.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "jobs/run_outcome.h"
#include "jobs/sequence_machine.h"
#include "node/executors/executor_pool.h"
#include "plan/job.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::node {

struct WorkflowSetup {
  std::vector<int> cores = {};  // of the machine, one for each executor; -1: any
  load::LoopBackend backend = load::LoopBackend::kAuto;
  std::string program;
  std::vector<std::string> arguments;
  StreamHost* streams = nullptr;  // outlives the run
};

class WorkflowRun {
 public:
  struct Calls {
    std::function<void(plan::ScriptPart, const jobs::ShareMachine::Event&)> event;
    std::function<void(const std::string&)> log;  // a line of the script, with its level
  };
  // No process runs yet. Fails when memory is not to be had.
  static Result<std::unique_ptr<WorkflowRun>> make(asio::io_context& io, const jobs::SequenceMachine& machine,
                                                   WorkflowSetup setup, Calls calls);

  // Fails only for a launch.
  Status carry_out(plan::ScriptPart part, const jobs::ExecutorCommand& command);
  std::vector<jobs::PartSight> sights() const;

  const jobs::SequenceMachine& machine() const { return machine_; }
  const plan::Workflow& workflow() const { return machine_.workflow(); }
  const std::string& name() const { return machine_.name(); }
  const plan::Load& load() const { return machine_.load(); }
  bool begun() const { return machine_.begun(); }
  bool done() const { return machine_.done(); }
  bool paused() const { return machine_.paused(); }
  bool completed() const { return machine_.completed(); }
  // Users of a closed loop or the rate of an open one, as they were last set; until then a stage is followed, to where
  // it is at that time.
  double target(MonoTime at) const;
  std::uint32_t executors() const { return static_cast<std::uint32_t>(setup_.cores.size()); }
  // Without those whose share is lost.
  std::uint32_t executors_left() const {
    return executors() - static_cast<std::uint32_t>(machine_.steps().lost().size());
  }
  // Of the plan, and one for all series that a script names while it runs.
  std::vector<std::string> step_names() const;

  results::WindowTotals live() const { return steps_.pool->live(); }
  // See ExecutorPool; steps as step_names() has them.
  std::vector<TallySource> sources(std::uint32_t first_step) const {
    return steps_.pool->sources(machine_.setup().first_executor, first_step);
  }
  std::vector<SampleRing> sample_rings() const { return steps_.pool->sample_rings(machine_.setup().first_executor); }
  const load::TallyNames& tally_names() const { return steps_.pool->names(); }
  MonoTime last_end() const { return steps_.pool->last_end(); }
  // What was recorded so far, with the descriptions of the workflow.
  Result<jobs::RecordedShare> recorded() const;

 private:
  // The processes of one part.
  struct Part final : PoolObserver {
    Part(WorkflowRun& run, plan::ScriptPart which) : owner(run), part(which) {}
    void on_event(const jobs::ShareMachine::Event& event) override { owner.calls_.event(part, event); }
    void on_log(load::LogLevel level, const std::string& text) override;

    WorkflowRun& owner;
    const plan::ScriptPart part;
    std::unique_ptr<ExecutorPool> pool;
  };

  WorkflowRun(asio::io_context& io, const jobs::SequenceMachine& machine, WorkflowSetup setup, Calls calls);
  Status make_steps();
  Status make_action(Part& part);
  Part& part_of(plan::ScriptPart part);

  asio::io_context& io_;
  const jobs::SequenceMachine& machine_;
  const WorkflowSetup setup_;
  const Calls calls_;
  Part steps_{*this, plan::ScriptPart::kSteps};
  Part before_{*this, plan::ScriptPart::kSetup};
  Part after_{*this, plan::ScriptPart::kTeardown};
};

using WorkflowRuns = std::vector<std::unique_ptr<WorkflowRun>>;

}  // namespace hyperscale::node
