#include "worker/core_map.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

namespace hyperscale::worker {

std::optional<std::vector<CoreIndex>> CoreMap::assign(const std::string& workflow, std::uint32_t count) {
  CHECK(!workflow.empty());
  if (count == 0 || cores_of_.contains(workflow) || available() < count) return std::nullopt;
  std::vector<CoreIndex>& cores = cores_of_[workflow];
  for (CoreIndex core = 0; cores.size() < count; ++core) {
    if (!workflow_of_[core].empty()) continue;
    workflow_of_[core] = workflow;
    cores.push_back(core);
  }
  return cores;
}

std::vector<CoreIndex> CoreMap::release(std::string_view workflow) {
  const auto known = cores_of_.find(workflow);
  if (known == cores_of_.end()) return {};
  std::vector<CoreIndex> freed = std::move(known->second);
  cores_of_.erase(known);
  for (const CoreIndex core : freed) workflow_of_[core].clear();
  return freed;
}

bool CoreMap::release_core(std::string_view workflow, CoreIndex core) {
  const auto known = cores_of_.find(workflow);
  if (known == cores_of_.end() || std::erase(known->second, core) == 0) return false;
  workflow_of_[core].clear();
  if (known->second.empty()) cores_of_.erase(known);
  return true;
}

std::uint32_t CoreMap::available() const {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(workflow_of_, [](const std::string& workflow) { return workflow.empty(); }));
}

std::string_view CoreMap::workflow_on(CoreIndex core) const {
  CHECK(core < total(), "core {} of {}", core, total());
  return workflow_of_[core];
}

std::vector<CoreIndex> CoreMap::cores_of(std::string_view workflow) const {
  const auto known = cores_of_.find(workflow);
  return known == cores_of_.end() ? std::vector<CoreIndex>() : known->second;
}

}  // namespace hyperscale::worker
