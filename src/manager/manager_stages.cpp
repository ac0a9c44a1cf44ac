// ManagerCore: the stages of a job, one after the other.
#include "base/check.h"
#include "manager/manager_core.h"
#include "plan/segment.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::manager {

void ManagerCore::advance_stage(LedJob& job) {
  if (job.closing || job.syncing) return;
  if (!job.stage_begun) {
    // A cancel on its way to the journal comes before the end of the job, or before another stage.
    const bool cancel_pending = job.cancelling && job.record.state() != JobState::kCancelling;
    if (job.layers.finished() || job.ending) {
      if (!cancel_pending) close(job);
      return;
    }
    if (job.record.state() != JobState::kQueued && !cancel_pending) begin_stage(job);
    return;
  }
  const auto is_done = [&](std::uint32_t index) { return job.runs[index].done(); };
  if (std::ranges::all_of(job.stage, is_done)) return end_stage(job);
  go(job);
}

// All shares of a stage are placed at once, or none: no job holds cores while it waits for more.
void ManagerCore::begin_stage(LedJob& job) {
  CHECK(job.layers.may_provision(), "layer {} of job {} begins, {} are synced", job.layers.layer(), job.id(),
        job.layers.synced());
  const std::uint32_t pool = pool_.total();
  if (pool == 0) return job.record.waits("a worker", now_);
  Stage stage = std::move((*stages_of(job.submission.plan, pool))[job.layers.stage()]);
  std::erase_if(stage.workflows, [&](const SlotCores& each) {
    const auto& depends = job.workflow(each.workflow).depends;
    for (std::uint32_t other = 0; other < job.runs.size(); ++other) {
      const std::string& name = job.workflow(other).plan.name;
      if (job.runs[other].completed() || std::ranges::find(depends, name) == depends.end()) continue;
      not_run(job, each.workflow, fmt::format("workflow {}, on which it depends, has not completed", name));
      return true;
    }
    return false;
  });
  const auto placed = place_stage(stage.workflows, pool_.rooms(now_), entropy_);
  if (!placed) {
    job.cores_wanted = cores_needed(stage.workflows);
    return job.record.waits(fmt::format("{} free cores", job.cores_wanted), now_);
  }
  job.cores_wanted = 0;
  job.record.goes_on();
  job.stage_begun = true;
  job.moved = true;
  job.stage.clear();
  for (const SlotCores& each : stage.workflows) {
    job.stage.push_back(each.workflow);
    job.runs[each.workflow].slots = static_cast<std::uint32_t>(each.cores.size());
  }
  add_shares(job, *placed);
  for (const std::uint32_t index : job.stage)
    enter(job, job.runs[index], job.workflow(index).plan.script.has_setup ? RunPhase::kSetup : RunPhase::kPreparing);
}

// A setup uses a core of its workflow, whose steps wait for it.
void ManagerCore::add_shares(LedJob& job, const std::vector<PlacedShare>& placed) {
  const auto add = [&](const jobs::ShareNumber& number, const PlacedShare& place, std::vector<JobCore> cores) {
    Share& share = job.shares.add(Share(number, place.first_slot, std::move(cores), now_));
    pool_.reserve(place.worker, {job.id(), number}, share.cores());
    share.place(place.worker, now_);
  };
  std::uint32_t number = 0;
  for (const PlacedShare& place : placed) {
    if (place.first_slot == 0) number = 0;
    add({place.workflow, wire::SharePart::kSteps, number++}, place, place.cores);
    if (place.first_slot == 0 && job.workflow(place.workflow).plan.script.has_setup)
      add({place.workflow, wire::SharePart::kSetup, 0}, place, {place.cores.front()});
  }
}

// All workflows of a stage start at one moment: when the last one is ready, or has ended before.
void ManagerCore::go(LedJob& job) {
  const auto waits = [&](std::uint32_t index) {
    return job.runs[index].phase == RunPhase::kReady && !job.runs[index].start_due;
  };
  const auto is_on_its_way = [&](std::uint32_t index) { return job.runs[index].phase < RunPhase::kReady; };
  if (job.ending || std::ranges::any_of(job.stage, is_on_its_way) || std::ranges::none_of(job.stage, waits)) return;
  if (!job.started()) {
    job.started_at = now_ + kStartLead;
    enter(job, JobState::kRunning);
  }
  for (const std::uint32_t index : job.stage)
    if (waits(index)) job.runs[index].start_due = now_ + job.workflow(index).start_offset;
  job.moved = true;
}

void ManagerCore::end_stage(LedJob& job) {
  job.stage_begun = false;
  job.moved = true;
  job.stage.clear();
  if (job.ending || !job.layers.end_stage()) return;
  const std::uint32_t version = job.layers.layer();
  auto context = recorded(job.context.all());
  if (!context)
    return end_early(job, Ending::Kind::kFail, fmt::format("context sync failed: {}", context.error().context));
  job.syncing = true;
  decide(job, jobs::LayerSync{version, std::move(context->first)}, std::move(context->second));
}

// On the pool that there is; zero: there is none. Asked for each queued job whenever cores become free.
std::uint32_t ManagerCore::cores_of_first_stage(LedJob& job) const {
  const std::uint32_t pool = pool_.total();
  if (pool == 0) return 0;
  if (job.first_stage_pool != pool) {
    job.first_stage_pool = pool;
    job.first_stage_cores = cores_needed(stages_of(job.submission.plan, pool)->front().workflows);
  }
  return job.first_stage_cores;
}

}  // namespace hyperscale::manager
