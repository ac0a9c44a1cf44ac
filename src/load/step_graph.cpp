#include "load/step_graph.h"

#include "plan/layers.h"

#include <algorithm>

namespace hyperscale::load {

Result<StepGraph> StepGraph::make(const std::vector<plan::Step>& steps) {
  std::vector<plan::Dependent> members;
  members.reserve(steps.size());
  for (const plan::Step& step : steps) members.push_back({step.name, step.depends});
  auto layers = plan::layers_of("step", members);
  if (!layers) return fail(ErrorCode::kInvalidArgument, layers.error().message);

  StepGraph graph;
  graph.layers_ = std::move(*layers);
  for (const auto& layer : graph.layers_)
    graph.width_ = std::max(graph.width_, static_cast<std::uint32_t>(layer.size()));
  for (const plan::Step& step : steps) {
    auto& needs = graph.needs_.emplace_back();
    for (const std::string& name : step.depends) {
      const auto found = std::ranges::find(steps, name, &plan::Step::name);
      needs.push_back(static_cast<std::uint32_t>(found - steps.begin()));
    }
  }
  return graph;
}

}  // namespace hyperscale::load
