#include "manager/layers.h"

#include "base/check.h"
#include "plan/job_schedule.h"

#include <algorithm>
#include <utility>

namespace hyperscale::manager {

Result<std::vector<Stage>> stages_of(const plan::Job& job, std::uint32_t pool) {
  const auto schedule = plan::schedule_of(job, pool);
  if (!schedule) return fail(schedule.error());
  std::vector<Stage> stages;
  for (const auto& placements : schedule->stages) {
    Stage& stage = stages.emplace_back(Stage{.layer = placements.front().layer, .workflows = {}});
    for (const plan::Placement& place : placements) {
      const std::size_t users = std::max(job.workflows[place.workflow].plan.load.vus, 1U);
      const auto slots = static_cast<std::ptrdiff_t>(std::min(place.cores.size(), users));
      stage.workflows.push_back({place.workflow, {place.cores.begin(), place.cores.begin() + slots}});
    }
  }
  return stages;
}

Layers::Layers(const std::vector<Stage>& stages) {
  CHECK(!stages.empty(), "a job without a stage");
  for (const Stage& stage : stages) layers_.push_back(stage.layer);
  CHECK(std::ranges::is_sorted(layers_), "stages out of order");
}

bool Layers::end_stage() {
  CHECK(may_provision(), "stage {} ends before it could begin", at_);
  const std::uint32_t ended = layer();
  ++at_;
  return !finished() && layer() > ended;
}

void Layers::sync(std::uint32_t version) {
  CHECK(version == synced_ + 1 && !finished() && layer() == version, "layer sync {} after {}", version, synced_);
  synced_ = version;
}

}  // namespace hyperscale::manager
