#include "sim/cluster/cluster_binding.h"

#include "sim/cluster/cluster_system.h"
#include "sim/cluster/planted_bugs.h"

#include <memory>
#include <string>

namespace hyperscale::sim {

Binding cluster_binding() {
  return {
      .maker = [](std::string_view bug) -> SystemMaker {
        return [bug = std::string(bug)](const Scenario& scenario, std::uint64_t) {
          return std::make_unique<ClusterSystem>(scenario, bug);
        };
      },
      .bugs = planted_bugs(),
      .scale = [](const Scenario& scenario, std::uint64_t) { return std::make_unique<ClusterSystem>(scenario, ""); }};
}

}  // namespace hyperscale::sim
