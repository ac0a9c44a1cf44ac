#include "jobs/states/dependents.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

namespace hyperscale::jobs {
namespace {

std::vector<std::vector<std::uint32_t>> numbers_of(const plan::Job& job) {
  const auto number_of = [&](const std::string& name) {
    const auto found = std::ranges::find(job.workflows, name, [](const auto& each) { return each.plan.name; });
    CHECK(found != job.workflows.end(), "no workflow is called {}", name);
    return static_cast<std::uint32_t>(found - job.workflows.begin());
  };
  std::vector<std::vector<std::uint32_t>> needs;
  for (const plan::Workflow& workflow : job.workflows) {
    auto& numbers = needs.emplace_back();
    for (const std::string& name : workflow.depends) numbers.push_back(number_of(name));
  }
  return needs;
}

}  // namespace

Dependents::Dependents(std::vector<std::vector<std::uint32_t>> needs) : needs_(std::move(needs)) {
  for (const auto& each : needs_) {
    for (const std::uint32_t other : each) CHECK(other < needs_.size(), "workflow {} of {}", other, needs_.size());
  }
}

Dependents::Dependents(const plan::Job& job) : Dependents(numbers_of(job)) {}

std::vector<std::uint32_t> Dependents::of(std::uint32_t workflow) const {
  CHECK(workflow < needs_.size(), "workflow {} of {}", workflow, needs_.size());
  std::vector<bool> reached(needs_.size(), false);
  reached[workflow] = true;
  for (bool grew = true; grew;) {
    grew = false;
    for (std::size_t each = 0; each < needs_.size(); ++each) {
      if (reached[each]) continue;
      if (!std::ranges::any_of(needs_[each], [&](std::uint32_t other) { return reached[other]; })) continue;
      reached[each] = true;
      grew = true;
    }
  }
  std::vector<std::uint32_t> found;
  for (std::uint32_t each = 0; each < needs_.size(); ++each) {
    if (reached[each] && each != workflow) found.push_back(each);
  }
  return found;
}

bool Dependents::depends(std::uint32_t workflow, std::uint32_t on) const {
  return std::ranges::binary_search(of(on), workflow);
}

std::vector<std::uint32_t> Dependents::in_order(std::span<const std::uint32_t> workflows) const {
  std::vector<std::uint32_t> left(workflows.begin(), workflows.end());
  std::vector<std::uint32_t> ordered;
  while (!left.empty()) {
    const auto next = std::ranges::find_if(left, [&](std::uint32_t each) {
      return std::ranges::none_of(left, [&](std::uint32_t other) {
        return other != each && std::ranges::find(needs_[each], other) != needs_[each].end();
      });
    });
    if (next == left.end()) return {workflows.begin(), workflows.end()};
    ordered.push_back(*next);
    left.erase(next);
  }
  return ordered;
}

}  // namespace hyperscale::jobs
