#include "intake/run_description.h"

#include <gtest/gtest.h>

namespace hyperscale::intake {
namespace {

TEST(RunDescription, SaysTheLoadInAFewWords) {
  plan::Load load;
  load.vus = 50;
  load.duration = 30s;
  EXPECT_EQ(describe_load(load), "50 users for 30s");
  load.iterations = 1000;
  EXPECT_EQ(describe_load(load), "50 users for 30s, at most 1,000 iterations");
  load.duration = {};
  EXPECT_EQ(describe_load(load), "50 users, 1,000 iterations");
  load.stages = {{30s, 100}, {30s, 0}};
  load.duration = 60s;
  EXPECT_EQ(describe_load(load), "users 0 > 100 > 0 over 1m");
  load = {};
  load.pacing = plan::Pacing::kOpen;
  load.rate_per_s = 2000;
  load.duration = 60s;
  load.vus = 500;
  load.warmup = 5s;
  EXPECT_EQ(describe_load(load), "2,000/s for 1m, at most 500 users, after 5s of warm-up");
}

}  // namespace
}  // namespace hyperscale::intake
