#include "node/cluster/loop_watch.h"

#include <gtest/gtest.h>

namespace hyperscale::node {
namespace {

constexpr MonoTime kNow = MonoTime::from_ns(1'000'000'000'000);

TEST(LoopWatch, GoesOffWhenWishedForAndAtLeastOncePerPeriod) {
  LoopWatch watch;
  EXPECT_EQ(watch.arm(kNow + 30ms, kNow), kNow + 30ms);
  EXPECT_EQ(watch.arm(kNow + 10s, kNow), kNow + LoopWatch::kPeriodMax);
  EXPECT_EQ(watch.arm(MonoTime::max(), kNow), kNow + LoopWatch::kPeriodMax);
}

TEST(LoopWatch, LagCountsFromTheMomentItWasDue) {
  LoopWatch watch;
  watch.arm(kNow + 30ms, kNow);
  EXPECT_EQ(watch.late(kNow + 30ms), std::nullopt);
  EXPECT_EQ(watch.late(kNow + 79ms), std::nullopt);
  EXPECT_EQ(watch.late(kNow + 330ms), 300ms);
}

// Row 45 of docs/bugs.md: a node that had been quiet took its first news for seconds of lag.
TEST(LoopWatch, AWishForThePastIsNoLag) {
  LoopWatch watch;
  EXPECT_EQ(watch.arm(kNow - 10s, kNow), kNow);
  EXPECT_EQ(watch.late(kNow + 1ms), std::nullopt);
}

}  // namespace
}  // namespace hyperscale::node
