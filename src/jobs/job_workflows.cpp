#include "jobs/job_workflows.h"

#include "plan/fleet/slots.h"
#include "plan/job_schedule.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hyperscale::jobs {

Result<JobSetup> setup_of(const plan::Job& job, std::uint32_t pool) {
  auto schedule = plan::schedule_of(job, pool);
  if (!schedule) return fail(schedule.error());
  JobSetup setup{.workflows = {}, .stages = {}, .warnings = std::move(schedule->warnings)};
  std::uint32_t executors = 0;
  for (const auto& placements : schedule->stages) {
    auto& stage = setup.stages.emplace_back();
    for (const plan::Placement& place : placements) {
      const plan::Workflow& workflow = job.workflows[place.workflow];
      const std::uint32_t vus = workflow.plan.load.vus;
      const std::uint32_t count = plan::slots_for(static_cast<std::uint32_t>(place.cores.size()), vus);
      stage.push_back(setup.workflows.size());
      setup.workflows.push_back({.workflow = &workflow,
                                 .layer = place.layer,
                                 .first_executor = executors,
                                 .cores = {place.cores.begin(), place.cores.begin() + count},
                                 .segments = plan::segments_of(vus, count)});
      executors += count;
    }
  }
  return setup;
}

JobWorkflows::JobWorkflows(std::vector<SequenceSetup> workflows, std::vector<std::vector<std::size_t>> stages)
    : stages_(std::move(stages)) {
  all_.reserve(workflows.size());
  for (SequenceSetup& setup : workflows) all_.emplace_back(std::move(setup));
}

const SequenceMachine* JobWorkflows::find(std::string_view name) const {
  const auto found = std::ranges::find_if(all_, [&](const SequenceMachine& each) { return each.name() == name; });
  return found == all_.end() ? nullptr : &*found;
}

std::vector<std::string> JobWorkflows::names() const {
  std::vector<std::string> names;
  names.reserve(all_.size());
  for (const SequenceMachine& each : all_) names.push_back(each.name());
  return names;
}

std::vector<std::size_t> JobWorkflows::take_stage() {
  return next_stage_ < stages_.size() ? stages_[next_stage_++] : std::vector<std::size_t>();
}

const std::string* JobWorkflows::failed_dependency(std::size_t workflow) const {
  const std::vector<std::string>& depends = all_[workflow].workflow().depends;
  for (const SequenceMachine& each : all_)
    if (!each.completed() && std::ranges::find(depends, each.name()) != depends.end()) return &each.name();
  return nullptr;
}

std::vector<plan::SharedValue> JobWorkflows::values_for(std::size_t workflow) const {
  std::vector<plan::SharedValue> values;
  for (const SequenceMachine& each : all_)
    if (each.completed()) std::ranges::move(each.provided_to(all_[workflow].name()), std::back_inserter(values));
  return values;
}

bool JobWorkflows::all_done() const {
  return std::ranges::all_of(all_, &SequenceMachine::done);
}

bool JobWorkflows::stage_over() const {
  return std::ranges::all_of(all_, [](const SequenceMachine& each) { return !each.started() || each.done(); });
}

bool JobWorkflows::paused() const {
  bool any = false;
  for (const SequenceMachine& each : all_) {
    if (!each.begun() || each.done()) continue;
    if (!each.paused()) return false;
    any = true;
  }
  return any;
}

bool JobWorkflows::scripted() const {
  return std::ranges::any_of(all_, [](const SequenceMachine& each) { return each.workflow().plan.script.exists(); });
}

MonoTime JobWorkflows::counted_from(MonoTime now) const {
  MonoTime first = MonoTime::max();
  for (const SequenceMachine& each : all_) first = std::min(first, each.counted_from(now));
  return first;
}

MonoTime JobWorkflows::next_deadline() const {
  MonoTime next = MonoTime::max();
  for (const SequenceMachine& each : all_) next = std::min(next, each.deadline());
  return next;
}

Duration JobWorkflows::graceful_stop() const {
  Duration longest{};
  for (const SequenceMachine& each : all_)
    if (each.started() && !each.done()) longest = std::max(longest, each.load().graceful_stop);
  return longest;
}

Duration JobWorkflows::planned_duration() const {
  Duration sum{};
  for (const auto& stage : stages_) {
    Duration longest{};
    for (const std::size_t index : stage) {
      const SequenceMachine& each = all_[index];
      if (each.load().duration == Duration::zero()) return {};
      longest = std::max(longest, each.workflow().start_offset + each.load().duration);
    }
    sum += longest;
  }
  return sum;
}

std::uint64_t JobWorkflows::planned_iterations() const {
  std::uint64_t sum = 0;
  for (const SequenceMachine& each : all_) {
    if (each.load().iterations == 0) return 0;
    sum += each.load().iterations;
  }
  return sum;
}

}  // namespace hyperscale::jobs
