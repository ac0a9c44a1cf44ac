#include "sim/scenario/swarm.h"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace hyperscale::sim {
namespace {

TEST(Swarm, ASeedAlwaysGivesTheSameScenario) {
  const auto text = [](const Scenario& scenario) {
    std::string all;
    for (const Fault& fault : scenario.faults) all += std::to_string(fault.at.count()) + to_string(fault) + "\n";
    return all;
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(text(swarm_scenario(seed, {})), text(swarm_scenario(seed, {})));
    EXPECT_EQ(swarm_scenario(seed, {}).settings, swarm_scenario(seed, {}).settings);
  }
  EXPECT_NE(text(swarm_scenario(1, {})), text(swarm_scenario(2, {})));
}

TEST(Swarm, EveryKindOfFaultComesAndEverySwarmIsDifferent) {
  std::map<FaultKind, int> swarms_with;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::set<FaultKind> kinds;
    for (const Fault& fault : swarm_scenario(seed, {}).faults) kinds.insert(fault.kind);
    for (const FaultKind kind : kinds) ++swarms_with[kind];
  }
  for (const FaultTraits& each : fault_kinds()) {
    if (each.kind == FaultKind::kStart) continue;  // crashes end with it
    EXPECT_GT(swarms_with[each.kind], 5) << each.name;
    if (each.kind != FaultKind::kHeal && each.kind != FaultKind::kCrash) {
      EXPECT_LT(swarms_with[each.kind], 190) << each.name;
    }
  }
}

TEST(Swarm, FaultsEndBeforePeaceIsJudged) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Scenario scenario = swarm_scenario(seed, {.topology = {}, .time = 10min});
    Duration healed = 0s;
    for (const Fault& fault : scenario.faults) {
      if (fault.kind == FaultKind::kHeal) healed = fault.at;
    }
    EXPECT_EQ(healed, 7min);
    for (const Fault& fault : scenario.faults) {
      const bool last_death = fault.kind == FaultKind::kCrash && fault.at > 9min;
      EXPECT_TRUE(fault.at <= healed || last_death) << to_string(fault);
    }
    EXPECT_EQ(scenario.expectations.front().at, 9min);
  }
}

}  // namespace
}  // namespace hyperscale::sim
