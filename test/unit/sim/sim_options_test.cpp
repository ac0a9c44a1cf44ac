#include "sim/run/sim_options.h"

#include "sim/run/sim_report.h"

#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::sim {
namespace {

TEST(SimOptions, RangesOfSeeds) {
  EXPECT_EQ(parse_seeds("3..10")->count(), 8);
  EXPECT_EQ(parse_seeds("7")->first, 7);
  EXPECT_EQ(parse_seeds("7")->last, 7);
  for (const char* wrong : {"", "x", "5..1", "1...3", "1..", "-1..3"}) EXPECT_FALSE(parse_seeds(wrong)) << wrong;
}

TEST(SimOptions, SeedAndSeedsExcludeEachOther) {
  EXPECT_FALSE(seeds_of({.seed = 1, .seeds = "1..2"}));
  EXPECT_EQ(seeds_of({})->count(), kSeedsDefault);
  EXPECT_EQ(seeds_of({.seed = 9})->last, 9);
}

TEST(SimOptions, SizesToMeasure) {
  EXPECT_EQ(*parse_scale("10,1000"), (std::vector<std::uint32_t>{10, 1000}));
  EXPECT_FALSE(parse_scale("3"));
  EXPECT_FALSE(parse_scale("10,,20"));
}

TEST(SimOptions, Topologies) {
  EXPECT_EQ(parse_topology("workers=9,dcs=1", Topology())->size(), 3 + 3 + 9);
  EXPECT_FALSE(parse_topology("gates=0,dcs=0", Topology()));
  const auto wrong = parse_topology("gate=1", Topology());
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().context.find("did you mean 'gates'"), std::string::npos) << wrong.error().context;
}

TEST(SimReport, AFailureTellsHowToSeeItAgain) {
  const SimOptions options{.scenario = "leader_killed", .mutate = "vote_twice"};
  const FailedSeed failure{12, {"vote_once", "machine 1 votes twice", SimTime() + 72s + 5us}, 0xabc};
  EXPECT_EQ(failure_text(options, failure),
            "sim: seed 12 FAILED at 1m12.000005s\n"
            "  checker  vote_once\n"
            "  found    machine 1 votes twice\n"
            "  trace    0000000000000abc\n"
            "  replay   hyperscale sim --seed 12 --scenario leader_killed --mutate vote_twice --trace\n");
}

TEST(SimReport, ProgressTellsSpeedAndWhatIsLeft) {
  const CampaignProgress progress{.done = 50, .failed = 0, .virtual_time = 30'000s, .real_time = 25s, .cpu_time = 50s};
  EXPECT_EQ(progress_text(progress, 2'000), "50 of 2,000 seeds, 0 failed, 600 virtual s/s, 16m15s left");
}

}  // namespace
}  // namespace hyperscale::sim
