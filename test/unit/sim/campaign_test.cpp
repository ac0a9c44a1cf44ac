#include "sim/run/campaign.h"

#include "sim/scenario/swarm.h"
#include "toy_system.h"

#include <atomic>
#include <memory>

#include <gtest/gtest.h>

namespace hyperscale::sim::test {
namespace {

Campaign toy_campaign(SeedRange seeds) {
  return {.seeds = seeds,
          .scenario =
              [](std::uint64_t seed) {
                Scenario scenario = swarm_scenario(seed, {.topology = {}, .time = 30s});
                scenario.expectations.clear();
                // Seeds that three divides expect what is not true.
                if (seed % 3 == 0) {
                  scenario.expectations.push_back(
                      {.at = 20s, .kind = ExpectKind::kKnownDead, .targets = {{.labels = {"all"}}}});
                }
                return scenario;
              },
          .maker = [](const Scenario&, std::uint64_t) { return std::make_unique<ToySystem>(); }};
}

TEST(Campaign, EverySeedIsRunOnceAndSumsAreKept) {
  Campaign campaign = toy_campaign({1, 2});
  campaign.jobs = 2;
  const CampaignResult result = run_campaign(campaign);
  EXPECT_EQ(result.progress.done, 2);
  EXPECT_EQ(result.progress.failed, 0);
  EXPECT_EQ(result.progress.virtual_time, 2 * 2 * 30s);
  EXPECT_GT(result.progress.packets, 0);
}

TEST(Campaign, AFailureStopsItAndNamesSeedAndChecker) {
  const CampaignResult result = run_campaign(toy_campaign({1, 100}));
  ASSERT_EQ(result.failures.size(), 1);
  EXPECT_EQ(result.failures[0].seed, 3);
  EXPECT_EQ(result.failures[0].violation.checker, "known_dead");
  EXPECT_EQ(result.failures[0].violation.at, SimTime() + 20s);
  EXPECT_EQ(result.progress.done, 3);
}

TEST(Campaign, ItCanGoOnAfterAFailure) {
  Campaign campaign = toy_campaign({1, 9});
  campaign.keep_going = true;
  campaign.twice = false;
  campaign.jobs = 2;
  const CampaignResult result = run_campaign(campaign);
  ASSERT_EQ(result.failures.size(), 3);
  EXPECT_EQ(result.failures[0].seed, 3);
  EXPECT_EQ(result.failures[2].seed, 9);
}

TEST(Campaign, AFailureIsTheSameOnAnyNumberOfThreads) {
  Campaign campaign = toy_campaign({1, 9});
  campaign.keep_going = true;
  const CampaignResult one = run_campaign(campaign);
  campaign.jobs = 4;
  const CampaignResult four = run_campaign(campaign);
  ASSERT_EQ(one.failures.size(), four.failures.size());
  for (std::size_t i = 0; i < one.failures.size(); ++i)
    EXPECT_EQ(one.failures[i].trace_hash, four.failures[i].trace_hash);
}

TEST(Campaign, AStopEndsItWithWhatWasDone) {
  std::atomic<bool> stop = false;
  Campaign campaign = toy_campaign({1, 1'000'000});
  campaign.keep_going = true;
  campaign.stop = &stop;
  campaign.begins = [&](std::uint64_t seed) {
    if (seed == 5) stop.store(true);
  };
  const CampaignResult result = run_campaign(campaign);
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.progress.done, 4);
}

}  // namespace
}  // namespace hyperscale::sim::test
