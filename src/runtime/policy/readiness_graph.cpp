#include "runtime/policy/readiness_graph.h"

#include "base/check.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace hyperscale::runtime {

std::string_view Overall::text() const {
  return draining ? std::string_view("draining") : name(state);
}

bool ReadinessGraph::known(std::string_view name) const {
  return services_.contains(name) || conditions_.contains(name);
}

Status ReadinessGraph::add_service(std::string name, std::vector<std::string> depends_on) {
  if (known(name)) return fail(ErrorCode::kConflict, fmt::format("readiness name '{}' is taken", name));
  // The graph had no cycle before, so a new one must pass through the new service.
  for (const std::string& dependency : depends_on) {
    if (dependency == name || reaches(dependency, name)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("service '{}' would depend on itself through '{}'", name, dependency));
    }
  }
  services_.emplace(std::move(name), Service{.depends_on = std::move(depends_on)});
  return {};
}

Status ReadinessGraph::add_condition(std::string name) {
  if (known(name)) return fail(ErrorCode::kConflict, fmt::format("readiness name '{}' is taken", name));
  conditions_.emplace(std::move(name), false);
  return {};
}

bool ReadinessGraph::reaches(std::string_view from, std::string_view target) const {
  std::vector<std::string_view> pending{from};
  std::set<std::string_view> seen;
  while (!pending.empty()) {
    const std::string_view current = pending.back();
    pending.pop_back();
    if (current == target) return true;
    const auto service = services_.find(current);
    if (service == services_.end() || !seen.insert(current).second) continue;
    pending.insert(pending.end(), service->second.depends_on.begin(), service->second.depends_on.end());
  }
  return false;
}

void ReadinessGraph::set_state(std::string_view name, ServiceState state) {
  const auto service = services_.find(name);
  CHECK(service != services_.end(), "service '{}' was never added", name);
  service->second.own = state;
}

void ReadinessGraph::set_condition(std::string_view name, bool met) {
  const auto condition = conditions_.find(name);
  CHECK(condition != conditions_.end(), "condition '{}' was never added", name);
  condition->second = met;
}

ServiceState ReadinessGraph::effective(std::string_view name, Effective& memo) const {
  if (const auto done = memo.find(name); done != memo.end()) return done->second;
  ServiceState state = ServiceState::kUnready;  // for an unknown name
  if (const auto condition = conditions_.find(name); condition != conditions_.end()) {
    state = condition->second ? ServiceState::kReady : ServiceState::kUnready;
  } else if (const auto service = services_.find(name); service != services_.end()) {
    state = service->second.own;
    for (const std::string& dependency : service->second.depends_on) {
      if (effective(dependency, memo) == ServiceState::kUnready) state = ServiceState::kUnready;
    }
  }
  memo.emplace(name, state);
  return state;
}

Overall ReadinessGraph::overall() const {
  Overall overall;
  overall.state = ServiceState::kReady;
  overall.draining = draining_;
  Effective memo;
  std::set<std::string_view> unmet;
  const auto need = [&](std::string_view dependency) {
    if (effective(dependency, memo) == ServiceState::kUnready) unmet.insert(dependency);
  };
  for (const auto& [name, met] : conditions_) {
    need(name);
    if (!met) overall.state = ServiceState::kUnready;
  }
  for (const auto& [name, service] : services_) {
    const ServiceState state = effective(name, memo);
    overall.services.emplace_back(name, state);
    overall.state = std::min(overall.state, state);
    for (const std::string& dependency : service.depends_on) need(dependency);
  }
  overall.unmet.assign(unmet.begin(), unmet.end());
  return overall;
}

}  // namespace hyperscale::runtime
