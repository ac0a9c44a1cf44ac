// System: interface of a simulated system to the runner of scenarios. It creates the processes, observes them, and
// checks expectations. The cluster of Hyperscale is one (sim/cluster); tests have a smaller one.
//
// Same thread as its world, which it must outlive.
#pragma once

#include "sim/engine/process.h"
#include "sim/engine/world.h"
#include "sim/engine/world_observer.h"
#include "sim/scenario/scenario.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::sim {

class System : public ProcessMaker, public WorldObserver {
 public:
  // Called before anything starts.
  virtual void attach(World& world) = 0;
  // Changes a machine's configuration; a process reads it when ordered, or when it starts later.
  virtual void configure(HostId host, std::string_view what, std::int64_t value) = 0;
  // The leader of these machines, if any; for "leader of".
  virtual std::optional<HostId> leader_of(const std::vector<HostId>& hosts) const = 0;
  // Why the expectation does not hold now; nullopt if it holds.
  virtual std::optional<std::string> unmet(const Expectation& expectation, const std::vector<HostId>& targets) = 0;
};

using SystemMaker = std::function<std::unique_ptr<System>(const Scenario& scenario, std::uint64_t seed)>;

}  // namespace hyperscale::sim
