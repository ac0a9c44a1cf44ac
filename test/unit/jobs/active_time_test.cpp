#include "jobs/active_time.h"

#include <gtest/gtest.h>

namespace hyperscale::jobs {
namespace {

MonoTime at(Duration time) {
  return MonoTime::from_ns(1'000'000'000) + time;
}

TEST(ActiveTime, WithoutAPauseAllTimeIsActive) {
  const ActiveTime clock;
  EXPECT_FALSE(clock.paused());
  EXPECT_EQ(clock.active_within(at(2s), at(9s)), 7s);
  EXPECT_EQ(clock.paused_within(at(2s), at(9s)), 0s);
}

TEST(ActiveTime, APauseLeavesTheTimeThatPasses) {
  ActiveTime clock;
  clock.pause(at(3s));
  EXPECT_TRUE(clock.paused());
  EXPECT_EQ(clock.active_within(at(1s), at(8s)), 2s) << "it lasts";
  clock.resume(at(7s));
  EXPECT_FALSE(clock.paused());
  EXPECT_EQ(clock.active_within(at(1s), at(8s)), 3s);
  EXPECT_EQ(clock.paused_within(at(1s), at(8s)), 4s);
}

TEST(ActiveTime, OnlyThePartWithinTheStretchCounts) {
  ActiveTime clock;
  clock.pause(at(3s));
  clock.resume(at(7s));
  clock.pause(at(10s));
  clock.resume(at(11s));
  clock.pause(at(20s));
  EXPECT_EQ(clock.paused_within(at(4s), at(5s)), 1s);
  EXPECT_EQ(clock.paused_within(at(5s), at(10500ms)), 2500ms);
  EXPECT_EQ(clock.paused_within(at(8s), at(9s)), 0s);
  EXPECT_EQ(clock.paused_within(at(0s), at(2s)), 0s);
  EXPECT_EQ(clock.paused_within(at(0s), at(25s)), 10s);
  EXPECT_EQ(clock.paused_within(at(21s), at(25s)), 4s);
  EXPECT_EQ(clock.paused_within(at(9s), at(4s)), 0s) << "not a stretch";
}

TEST(ActiveTime, APauseOfNoLengthIsNone) {
  ActiveTime clock;
  clock.pause(at(3s));
  clock.resume(at(3s));
  EXPECT_EQ(clock.paused_within(at(0s), at(9s)), 0s);
}

}  // namespace
}  // namespace hyperscale::jobs
