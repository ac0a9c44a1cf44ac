#include "jobs/run_outcome.h"

#include "base/check.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::jobs {
namespace {

using results::RunResult;

results::ExecutorEnd end_of(const ShareMachine::Executor& executor) {
  if (executor.lost) return results::ExecutorEnd::kLost;
  return executor.deaths > 0 ? results::ExecutorEnd::kRestarted : results::ExecutorEnd::kFinished;
}

// Adds what the machine knows to what the executors recorded.
RunResult result_of(const SequenceMachine& workflow, RecordedShare share) {
  RunResult result = std::move(share.figures);
  const plan::Load& load = workflow.load();
  const bool any = share.first_start != MonoTime() && share.last_end > share.first_start;
  result.wall = any ? share.last_end - share.first_start : Duration::zero();
  result.elapsed = result.wall - workflow.steps().times().active().paused_within(share.first_start, share.last_end);
  // If the iteration count ended the run, no planned duration applies.
  result.planned = load.iterations > 0 && result.elapsed < load.duration ? Duration::zero() : load.duration;
  result.open_loop = load.pacing == plan::Pacing::kOpen;
  const bool even = load.stages.empty() && !load.poisson && !workflow.changed();  // with others the rate varies anyway
  if (result.open_loop && even) result.asked_rate_per_s = load.rate_per_s;
  const auto& executors = workflow.steps().executors();
  result.lost_with_executor = 0;
  for (const ShareMachine::Executor& executor : executors) result.lost_with_executor += executor.lost_iterations;
  if (workflow.begun()) {
    CHECK(share.executors.size() == executors.size(), "{} reports of {} executors", share.executors.size(),
          executors.size());
    result.executors = std::move(share.executors);
    for (std::size_t i = 0; i < executors.size(); ++i) {
      result.executors[i].index = workflow.setup().first_executor + static_cast<std::uint32_t>(i);
      result.executors[i].end = end_of(executors[i]);
      result.executors[i].message = executors[i].message;
    }
  }
  result.partial = workflow.lost_a_share();
  return result;
}

results::WorkflowReport report_of(const SequenceMachine& workflow, const RunResult& result, MonoTime run_start) {
  const results::Counts counts = result.total_counts();
  const bool left_out = !workflow.left_out().empty();
  const bool failed = workflow.lost_a_share() || !workflow.failure().empty();
  results::WorkflowReport report;
  report.name = workflow.name();
  report.end = left_out             ? results::WorkflowEnd::kNotRun
               : failed             ? results::WorkflowEnd::kFailed
               : workflow.stopped() ? results::WorkflowEnd::kStopped
                                    : results::WorkflowEnd::kCompleted;
  report.message = left_out ? workflow.left_out() : workflow.failure();
  report.load_description = result.load_description;
  report.layer = workflow.setup().layer;
  report.cores = static_cast<std::uint32_t>(workflow.setup().cores.size());
  if (workflow.begun()) report.begin = workflow.steps().times().counted_from() - run_start;
  report.elapsed = result.elapsed;
  report.wall = result.wall;
  report.iterations = result.iterations;
  report.iterations_failed = result.iterations_failed;
  report.iterations_cut = result.iterations_cut;
  report.dropped = result.dropped;
  report.requests = counts.requests();
  report.redirected = counts.requests() - counts.concluded();
  report.errors = counts.errors();
  return report;
}

// Data of a single workflow goes into its own report. The time of the run continues while one of several workflows is
// paused: the others use it.
Result<RunResult> joined(const JobMachine& job, std::vector<RecordedShare> shares, MonoTime now) {
  RunResult all;
  const MonoTime first = job.counting(now) ? job.counted_from(now) : job.start();
  MonoTime last = first;
  std::string target;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const SequenceMachine& workflow = job.workflow(i);
    const MonoTime last_end = shares[i].last_end;
    RunResult result = result_of(workflow, std::move(shares[i]));
    if (workflow.begun()) last = std::max({last, last_end, workflow.counted_from(now) + result.wall});
    if (i == 0) target = result.target;
    all.workflows.push_back(report_of(workflow, result, job.start()));
    all.protocol = std::max(all.protocol, result.protocol);
    all.open_loop = all.open_loop || result.open_loop;
    if (Status fits = results::join(all, workflow.name(), std::move(result)); !fits) return fail(fits.error());
  }
  std::ranges::sort(all.workflows, [](const results::WorkflowReport& a, const results::WorkflowReport& b) {
    return std::tie(a.layer, a.name) < std::tie(b.layer, b.name);
  });
  all.target = std::move(target);
  all.load_description = fmt::format("{} workflows", shares.size());
  all.wall = last - first;
  all.elapsed = job.clock().active_within(first, last);
  all.planned = job.workflows().planned_duration();
  return all;
}

}  // namespace

Duration time_run(const SequenceMachine& workflow) {
  const ShareMachine& steps = workflow.steps();
  if (!steps.started() || !steps.done()) return {};
  return steps.times().active().active_within(steps.times().start(), steps.ended());
}

Result<RunResult> outcome_of(const JobMachine& job, std::vector<RecordedShare> shares, MonoTime now) {
  CHECK(shares.size() == job.workflows().size(), "{} shares of {} workflows", shares.size(), job.workflows().size());
  auto all = shares.size() == 1 ? Result<RunResult>(result_of(job.workflow(0), std::move(shares.front())))
                                : joined(job, std::move(shares), now);
  if (!all) return all;
  all->changes = job.changes();
  all->interrupted = job.stopping();
  // If no request was answered there is no last end; the time spent trying is still known.
  if (all->interrupted && all->elapsed == Duration::zero() && job.counting(now) && now > job.counted_from(now)) {
    all->elapsed = job.counted_time(now);
    all->wall = now - job.counted_from(now);
  }
  const std::vector<std::string> warnings = job.warnings();
  all->warnings.insert(all->warnings.begin(), warnings.begin(), warnings.end());
  return all;
}

}  // namespace hyperscale::jobs
