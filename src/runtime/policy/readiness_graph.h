// Readiness of a node. Services report their own state, conditions ("config", "listeners") are met or not, and a
// service is only as ready as its dependencies.
//
// - Services start unready and conditions unmet, so a node is not ready before all of them are.
// - A service with an unmet dependency (unready service, unmet condition, or an unknown name) is unready itself.
//   A degraded dependency still serves and leaves its dependents as they are.
// - The node is unready if any service is unready or any condition unmet, else degraded if any service is degraded.
// - Draining is one-way and overrides every state.
//
// Thread rule: one owner. A cycle, a repeated name or a dependency on oneself is refused when added and changes
// nothing; setting a name that was never added is a bug (CHECK).
#pragma once

#include "base/result.h"
#include "runtime/policy/service_state.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hyperscale::runtime {

struct Overall {
  ServiceState state = ServiceState::kUnready;
  bool draining = false;
  std::vector<std::pair<std::string, ServiceState>> services;  // with dependencies taken into account, sorted by name
  std::vector<std::string> unmet;                              // dependencies that prevent readiness, sorted by name

  bool serving() const { return !draining && state != ServiceState::kUnready; }
  // For /readyz: 200 while serving, 503 when unready or draining.
  std::uint16_t http_status() const { return serving() ? 200 : 503; }
  std::string_view text() const;  // "ready", "degraded", "unready" or "draining"
};

class ReadinessGraph {
 public:
  Status add_service(std::string name, std::vector<std::string> depends_on = {});
  Status add_condition(std::string name);

  void set_state(std::string_view name, ServiceState state);
  void set_condition(std::string_view name, bool met);
  void set_draining() { draining_ = true; }

  Overall overall() const;

 private:
  struct Service {
    ServiceState own = ServiceState::kUnready;
    std::vector<std::string> depends_on;
  };
  using Effective = std::map<std::string_view, ServiceState>;

  bool reaches(std::string_view from, std::string_view target) const;
  bool known(std::string_view name) const;
  ServiceState effective(std::string_view name, Effective& memo) const;

  std::map<std::string, Service, std::less<>> services_;
  std::map<std::string, bool, std::less<>> conditions_;
  bool draining_ = false;
};

}  // namespace hyperscale::runtime
