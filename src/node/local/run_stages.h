// RunStages: the workflows of a run in the order in which they may begin. It starts their executors, lets the next
// stage go when the one before is over, leaves out what depends on something that failed, and joins what came of all of
// them.
//
// Thread rule: the one that runs `io`. The owner calls start_next() when all are ready and whenever stage_over().
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "jobs/active_time.h"
#include "node/local/local_runner.h"
#include "node/local/workflow_run.h"
#include "results/run_result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>

namespace hyperscale::node {

class RunStages {
 public:
  // Starts every executor. `warnings` gets what the schedule has to say. All but `warnings` outlive the stages.
  Status launch(asio::io_context& io, const RunRequest& request, StreamHost& streams, WorkflowObserver& observer,
                std::vector<std::string>& warnings);
  // Starts the next stage in which anything can run.
  void start_next(MonoTime at);
  // Asks those that run to stop, and leaves out the others.
  void stop();
  void kill();

  const WorkflowRuns& runs() const { return runs_; }  // in the order of their stages
  bool all_done() const;
  bool stage_over() const;  // whatever was started is done
  // Zero without one: a count has no duration. Pauses are not part of it.
  Duration planned_duration() const;
  std::uint64_t planned_iterations() const;
  MonoTime next_deadline() const;
  results::WindowTotals live() const;

  // Of all workflows, so far. `start`: of the run; `counted`: from when on anything counts, max() for not yet; `clock`:
  // when all that was under way was paused.
  Result<results::RunResult> result(MonoTime start, MonoTime counted, MonoTime now,
                                    const jobs::ActiveTime& clock) const;

 private:
  using Stage = std::vector<WorkflowRun*>;

  std::vector<plan::SharedValue> values_for(const std::string& workflow) const;
  const std::string* failed_dependency(const plan::Workflow& workflow) const;
  Result<results::RunResult> joined(MonoTime start, MonoTime counted, MonoTime now,
                                    const jobs::ActiveTime& clock) const;

  WorkflowRuns runs_;
  std::vector<Stage> stages_;
  std::size_t next_stage_ = 0;
};

// Executors of a workflow that may have this many cores: no more than users.
std::uint32_t executors_for(std::size_t cores, std::uint32_t vus);

}  // namespace hyperscale::node
