#include "node/run/workflow_run.h"

#include "base/check.h"
#include "node/run/run_description.h"
#include "plan/segment.h"

#include <utility>

namespace hyperscale::node {
namespace {

using load::EventLoop;

// After the graceful stop, for an executor to say that it has finished.
constexpr Duration kEndPatience = 5s;

}  // namespace

Result<std::unique_ptr<WorkflowRun>> WorkflowRun::launch(asio::io_context& io, WorkflowSetup setup,
                                                         WorkflowObserver& observer) {
  std::unique_ptr<WorkflowRun> run(new WorkflowRun(std::move(setup), observer));
  const WorkflowSetup& made = run->setup_;
  PoolObserver& itself = *run;
  auto pool =
      ExecutorPool::make(io,
                         {.plan = made.workflow->plan,
                          .segments = plan::segments_of(run->load().vus, static_cast<std::uint32_t>(made.cores.size())),
                          .backend = made.backend,
                          .cores = made.cores,
                          .program = made.program,
                          .arguments = made.arguments},
                         itself);
  if (!pool) return fail(pool.error());
  run->pool_ = std::move(*pool);
  return run;
}

void WorkflowRun::start(MonoTime at) {
  started_ = true;
  start_ = at + workflow().start_offset;
  counted_from_ = start_ + load().warmup;
  if (load().duration > Duration::zero())
    deadline_ = counted_from_ + load().duration + load().graceful_stop + kEndPatience;
  pool_->start(start_);
}

void WorkflowRun::leave_out(std::string why) {
  CHECK(!started_, "workflow {} is under way", name());
  left_out_ = std::move(why);
  pool_->kill();
}

void WorkflowRun::stop() {
  if (!started_ || done_) return;
  stopped_ = true;
  deadline_ = EventLoop::now() + load().graceful_stop + kEndPatience;
  pool_->stop();
}

void WorkflowRun::give_up() {
  deadline_ = MonoTime::max();
  pool_->give_up();
}

void WorkflowRun::on_done() {
  done_ = true;
  ended_ = EventLoop::now();
  deadline_ = MonoTime::max();
  observer_.on_workflow_done(*this);
}

Result<results::RunResult> WorkflowRun::result() const {
  auto recorded = pool_->recorded();
  if (!recorded) return fail(recorded.error());
  results::RunResult& result = *recorded;
  const plan::Plan& plan = workflow().plan;
  result.target = plan.steps.front().requests.front().url;
  result.protocol = describe_protocol(plan);
  result.load_description = describe_load(load());
  // A run that its count ended had no duration to keep.
  result.planned = load().iterations > 0 && result.elapsed < load().duration ? Duration::zero() : load().duration;
  result.open_loop = load().pacing == plan::Pacing::kOpen;
  const bool even = load().stages.empty() && !load().poisson;  // chance alone moves the rate of the others
  if (result.open_loop && even) result.asked_rate_per_s = load().rate_per_s;
  if (started_) result.executors = pool_->reports(ended_ - start_);
  for (results::ExecutorReport& executor : result.executors) executor.index += setup_.first_executor;
  result.partial = lost_a_share();
  return recorded;
}

results::WorkflowReport WorkflowRun::report(const results::RunResult& result, MonoTime run_start) const {
  const results::Counts counts = result.total_counts();
  results::WorkflowReport report;
  report.name = name();
  report.end = left_out()       ? results::WorkflowEnd::kNotRun
               : lost_a_share() ? results::WorkflowEnd::kFailed
               : stopped_       ? results::WorkflowEnd::kStopped
                                : results::WorkflowEnd::kCompleted;
  report.message = left_out_;
  report.load_description = result.load_description;
  report.layer = setup_.layer;
  report.cores = static_cast<std::uint32_t>(setup_.cores.size());
  if (started_) report.begin = counted_from_ - run_start;
  report.elapsed = result.elapsed;
  report.iterations = result.iterations;
  report.dropped = result.dropped;
  report.requests = counts.requests();
  report.errors = counts.errors();
  return report;
}

}  // namespace hyperscale::node
