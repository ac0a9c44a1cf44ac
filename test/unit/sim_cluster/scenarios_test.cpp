// Every scenario of the program and a few seeds of the swarm, on the real cluster core.
#include "sim/cluster/cluster_binding.h"
#include "sim/run/scenario_list.h"
#include "sim/run/sim_report.h"
#include "sim/run/simulation.h"
#include "sim/scenario/scenario_file.h"
#include "sim/scenario/swarm.h"

#include <string>

#include <gtest/gtest.h>

namespace hyperscale::sim {
namespace {

std::string problem(const SimulationOutcome& outcome) {
  if (!outcome.violation) return "none";
  return virtual_time_text(outcome.violation->at) + " " + outcome.violation->checker + ": " + outcome.violation->what;
}

class ClusterScenario : public testing::TestWithParam<std::string> {};

TEST_P(ClusterScenario, Holds) {
  for (const ScenarioText& each : scenario_list()) {
    if (each.name != GetParam()) continue;
    const Scenario scenario = read_scenario(GetParam() + ".toml", each.text).scenario;
    for (const std::uint64_t seed : {1, 2}) {
      EXPECT_EQ(problem(simulate_twice(scenario, seed, cluster_binding().maker(""))), "none")
          << "hyperscale sim --scenario " << GetParam() << " --seed " << seed << " --trace";
    }
  }
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const ScenarioText& each : scenario_list()) names.emplace_back(each.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, ClusterScenario, testing::ValuesIn(all_names()),
                         [](const testing::TestParamInfo<std::string>& each) { return each.param; });

class ClusterSwarm : public testing::TestWithParam<std::uint64_t> {};

TEST_P(ClusterSwarm, Holds) {
  const Scenario scenario = swarm_scenario(GetParam(), {});
  EXPECT_EQ(problem(simulate_twice(scenario, GetParam(), cluster_binding().maker(""))), "none")
      << "hyperscale sim --seed " << GetParam() << " --trace";
}

INSTANTIATE_TEST_SUITE_P(Seeds, ClusterSwarm, testing::Range<std::uint64_t>(1, 9), testing::PrintToStringParamName());

}  // namespace
}  // namespace hyperscale::sim
