#include "node/local/run_stages.h"

#include "intake/run_description.h"
#include "node/executors/machine_limits.h"
#include "plan/job_schedule.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::node {

Status RunStages::launch(asio::io_context& io, const RunRequest& request, StreamHost& streams,
                         WorkflowObserver& observer, std::vector<std::string>& warnings) {
  const std::vector<int> cores = usable_cores();
  const auto pool = request.executors != 0 ? request.executors : static_cast<std::uint32_t>(cores.size());
  auto schedule = plan::schedule_of(request.job, pool);
  if (!schedule) return fail(schedule.error());
  warnings.insert(warnings.end(), schedule->warnings.begin(), schedule->warnings.end());
  std::uint32_t executors = 0;
  for (const auto& placements : schedule->stages) {
    Stage& stage = stages_.emplace_back();
    for (const plan::Placement& place : placements) {
      const plan::Workflow& workflow = request.job.workflows[place.workflow];
      WorkflowSetup setup{.workflow = &workflow,
                          .layer = place.layer,
                          .first_executor = executors,
                          .backend = request.backend,
                          .program = request.program,
                          .arguments = request.arguments,
                          .streams = &streams};
      const std::uint32_t count = executors_for(place.cores.size(), workflow.plan.load.vus);
      for (std::uint32_t i = 0; i < count; ++i) setup.cores.push_back(cores[place.cores[i] % cores.size()]);
      executors += count;
      auto run = WorkflowRun::launch(io, std::move(setup), observer);
      if (!run) return fail(run.error());
      stage.push_back(run->get());
      runs_.push_back(std::move(*run));
    }
  }
  return {};
}

void RunStages::start_next(MonoTime at) {
  for (bool any = false; !any && next_stage_ < stages_.size(); ++next_stage_) {
    for (WorkflowRun* run : stages_[next_stage_]) {
      if (run->left_out()) continue;
      if (const std::string* failed = failed_dependency(run->workflow())) {
        run->leave_out(fmt::format("workflow {}, on which it depends, failed", *failed));
        continue;
      }
      run->start(at, values_for(run->name()));
      any = true;
    }
  }
}

void RunStages::stop() {
  for (const auto& run : runs_) {
    if (run->started()) {
      run->stop();
    } else if (!run->left_out()) {
      run->leave_out("the run was stopped before it began");
    }
  }
}

void RunStages::kill() {
  for (const auto& run : runs_)
    if (!run->done()) run->kill();
}

bool RunStages::all_done() const {
  return std::ranges::all_of(runs_, [](const auto& run) { return run->done(); });
}

bool RunStages::stage_over() const {
  return std::ranges::all_of(runs_, [](const auto& run) { return !run->started() || run->done(); });
}

Duration RunStages::planned_duration() const {
  Duration sum{};
  for (const Stage& stage : stages_) {
    Duration longest{};
    for (const WorkflowRun* run : stage) {
      if (run->load().duration == Duration::zero()) return {};
      longest = std::max(longest, run->workflow().start_offset + run->load().duration);
    }
    sum += longest;
  }
  return sum;
}

std::uint64_t RunStages::planned_iterations() const {
  std::uint64_t sum = 0;
  for (const auto& run : runs_) {
    if (run->load().iterations == 0) return 0;
    sum += run->load().iterations;
  }
  return sum;
}

MonoTime RunStages::next_deadline() const {
  MonoTime next = MonoTime::max();
  for (const auto& run : runs_) next = std::min(next, run->deadline());
  return next;
}

results::WindowTotals RunStages::live() const {
  results::WindowTotals sum;
  for (const auto& run : runs_) sum += run->live();
  return sum;
}

std::vector<plan::SharedValue> RunStages::values_for(const std::string& workflow) const {
  std::vector<plan::SharedValue> values;
  for (const auto& run : runs_)
    if (run->completed()) std::ranges::move(run->provided_to(workflow), std::back_inserter(values));
  return values;
}

const std::string* RunStages::failed_dependency(const plan::Workflow& workflow) const {
  for (const auto& run : runs_)
    if (!run->completed() && std::ranges::find(workflow.depends, run->name()) != workflow.depends.end())
      return &run->name();
  return nullptr;
}

Result<results::RunResult> RunStages::result(MonoTime start, MonoTime counted, MonoTime now,
                                             const jobs::ActiveTime& clock) const {
  return runs_.size() == 1 ? runs_.front()->result() : joined(start, counted, now, clock);
}

// What holds for one of several workflows only is in its report. The time of the run goes on while one of several is
// paused: the others use it.
Result<results::RunResult> RunStages::joined(MonoTime start, MonoTime counted, MonoTime now,
                                             const jobs::ActiveTime& clock) const {
  results::RunResult all;
  const MonoTime first = counted == MonoTime::max() ? start : counted;
  MonoTime last = first;
  for (const auto& run : runs_) {
    auto result = run->result();
    if (!result) return fail(result.error());
    if (run->begun()) last = std::max({last, run->last_end(), run->counted_from(now) + result->wall});
    all.workflows.push_back(run->report(*result, start));
    all.protocol = std::max(all.protocol, result->protocol);
    all.open_loop = all.open_loop || result->open_loop;
    if (Status fits = results::join(all, run->name(), std::move(*result)); !fits) return fail(fits.error());
  }
  std::ranges::sort(all.workflows, [](const results::WorkflowReport& a, const results::WorkflowReport& b) {
    return std::tie(a.layer, a.name) < std::tie(b.layer, b.name);
  });
  all.target = intake::target_of(runs_.front()->workflow().plan);
  all.load_description = fmt::format("{} workflows", runs_.size());
  all.wall = last - first;
  all.elapsed = clock.active_within(first, last);
  all.planned = planned_duration();
  return all;
}

std::uint32_t executors_for(std::size_t cores, std::uint32_t vus) {
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(cores, 1, std::max(vus, 1U)));
}

}  // namespace hyperscale::node
