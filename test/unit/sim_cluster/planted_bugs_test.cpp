// The simulator finds what is planted: each bug within the number of seeds that it states.
#include "sim/cluster/planted_bugs.h"

#include "sim/cluster/cluster_binding.h"
#include "sim/run/campaign.h"
#include "sim/run/scenario_list.h"
#include "sim/scenario/scenario_file.h"
#include "sim/scenario/swarm.h"

#include <string>

#include <gtest/gtest.h>

namespace hyperscale::sim {
namespace {

class PlantedBugs : public testing::TestWithParam<PlantedBug> {};

TEST_P(PlantedBugs, IsFound) {
  const PlantedBug& bug = GetParam();
  const Campaign campaign{.seeds = {1, bug.seeds_max},
                          .scenario =
                              [&](std::uint64_t seed) {
                                for (const ScenarioText& each : scenario_list()) {
                                  if (each.name == bug.scenario) return read_scenario(each.name, each.text).scenario;
                                }
                                return swarm_scenario(seed, {});
                              },
                          .maker = cluster_binding().maker(bug.name),
                          .jobs = 2,
                          .twice = false};
  const CampaignResult result = run_campaign(campaign);
  ASSERT_FALSE(result.failures.empty()) << bug.name << " was not found in " << result.progress.done << " seeds";
  const FailedSeed& found = result.failures.front();
  RecordProperty("found_by", found.violation.checker);
  std::printf("%s: seed %llu, %s: %s\n", bug.name.c_str(), static_cast<unsigned long long>(found.seed),
              found.violation.checker.c_str(), found.violation.what.c_str());
}

INSTANTIATE_TEST_SUITE_P(Each, PlantedBugs, testing::ValuesIn(planted_bugs()),
                         [](const testing::TestParamInfo<PlantedBug>& each) { return each.param.name; });

TEST(PlantedBugsList, ThereAreAtLeastTen) {
  EXPECT_GE(planted_bugs().size(), 10);
}

}  // namespace
}  // namespace hyperscale::sim
