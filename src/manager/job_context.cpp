#include "manager/job_context.h"

#include <algorithm>

namespace hyperscale::manager {

void JobContext::set(const std::string& workflow, const std::vector<std::vector<wire::ContextValue>>& shares) {
  auto& values = values_[workflow];
  for (const auto& share : shares)
    for (const wire::ContextValue& each : share) {
      if (values.contains(each.key)) continue;
      const std::uint64_t timestamp = each.timestamp == 0 ? clock_ + 1 : each.timestamp;
      clock_ = std::max(clock_, timestamp) + 1;
      values.emplace(each.key, Value{each.json, timestamp});
    }
}

std::vector<wire::ContextValue> JobContext::for_workflow(const plan::Job& job, std::uint32_t workflow) const {
  const plan::Workflow& receiver = job.workflows[workflow];
  std::vector<wire::ContextValue> values;
  for (const plan::Workflow& provider : job.workflows) {
    const std::string& name = provider.plan.name;
    const auto provided = values_.find(name);
    if (provided == values_.end() || std::ranges::find(receiver.depends, name) == receiver.depends.end()) continue;
    for (const auto& [key, value] : provided->second)
      if (plan::is_for(provider.plan.script, key, receiver.plan.name))
        values.push_back({name, key, value.json, value.timestamp});
  }
  return values;
}

std::vector<wire::ContextValue> JobContext::all() const {
  std::vector<wire::ContextValue> all;
  for (const auto& [workflow, values] : values_)
    for (const auto& [key, value] : values) all.push_back({workflow, key, value.json, value.timestamp});
  return all;
}

}  // namespace hyperscale::manager
