#include "membership/coordinates/role_strategy.h"

#include "base/check.h"

#include <algorithm>
#include <cmath>

namespace hyperscale::membership {
namespace {

Duration times(Duration duration, double factor) {
  return Duration(std::llround(static_cast<double>(duration.count()) * factor));
}

}  // namespace

double RoleStrategy::capped_load(double health_multiplier) const {
  return std::clamp(health_multiplier, 1.0, load_multiplier_max);
}

Duration RoleStrategy::passive_wait(double health_multiplier) const {
  return times(passive_timeout, capped_load(health_multiplier));
}

Duration RoleStrategy::removal_after(double health_multiplier) const {
  return passive_wait(health_multiplier) + attempt_interval * confirmation_attempts;
}

RoleStrategies RoleStrategies::scaled_to(Duration probe_interval) {
  CHECK(probe_interval > 0ns);
  const Duration unit = probe_interval;  // one second in the table
  return {.gate = {120 * unit, true, 5, 5 * unit, true, 3},
          .manager = {90 * unit, true, 3, 5 * unit, true, 5},
          .worker = {180 * unit, false, 0, 0 * unit, false, 10}};
}

const RoleStrategy& RoleStrategies::of(wire::NodeRole role) const {
  switch (role) {
    case wire::NodeRole::kGate:
      return gate;
    case wire::NodeRole::kManager:
      return manager;
    case wire::NodeRole::kWorker:
      return worker;
  }
  UNREACHABLE("role {}", static_cast<int>(role));
}

wire::NodeRole role_of(std::optional<wire::NodeRole> gossiped, std::uint16_t port, std::string_view host,
                       const RoleRules& rules) {
  if (gossiped) return *gossiped;
  for (const auto& rule : rules.ports) {
    if (port >= rule.first && port <= rule.last) return rule.role;
  }
  for (const auto& rule : rules.names) {
    if (host.find(rule.part) != std::string_view::npos) return rule.role;
  }
  return rules.otherwise;
}

}  // namespace hyperscale::membership
