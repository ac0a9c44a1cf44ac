#include "cluster/loop_watch.h"

#include <optional>
#include <utility>

#include <gtest/gtest.h>

namespace hyperscale::cluster {
namespace {

constexpr MonoTime kNow = MonoTime::from_ns(1'000'000'000'000);

TEST(LoopWatch, FiresWhenWantedAndAtLeastOncePerPeriod) {
  EXPECT_EQ(LoopWatch().arm(kNow + 30ms, kNow), kNow + 30ms);
  EXPECT_EQ(LoopWatch().arm(kNow + 10s, kNow), kNow + LoopWatch::kPeriodMax);
  EXPECT_EQ(LoopWatch().arm(MonoTime::max(), kNow), kNow + LoopWatch::kPeriodMax);
}

TEST(LoopWatch, LagCountsFromTheMomentItWasDue) {
  for (const auto& [after, late] :
       {std::pair(30ms, std::optional<Duration>()), {79ms, std::nullopt}, {330ms, Duration(300ms)}}) {
    LoopWatch watch;
    watch.arm(kNow + 30ms, kNow);
    EXPECT_EQ(watch.went_off(kNow + after), late);
  }
}

TEST(LoopWatch, PacketsThatComeMeanwhileHideNoLag) {
  LoopWatch watch;
  for (Duration passed = 0ms; passed <= 500ms; passed += 10ms) watch.arm(kNow, kNow + passed);
  EXPECT_EQ(watch.went_off(kNow + 500ms), 500ms);
  EXPECT_EQ(watch.arm(kNow + 560ms, kNow + 510ms), kNow + 560ms) << "a new wish";
}

// proves part: SWIM-LHM-1 (not failed probes of a suspect, nor of one whose host refuses them)
TEST(LoopWatch, TheEndOfLagIsToldOnce) {
  LoopWatch watch;
  EXPECT_EQ(watch.to_tell(10ms), std::nullopt);
  EXPECT_EQ(watch.to_tell(200ms), 200ms);
  EXPECT_EQ(watch.to_tell(300ms), 300ms);
  EXPECT_EQ(watch.to_tell(10ms), 0ms);
  EXPECT_EQ(watch.to_tell(10ms), std::nullopt);
}

TEST(LoopWatch, ATimerThatFiresUnarmedIsNoLag) {
  LoopWatch watch;
  EXPECT_EQ(watch.went_off(kNow), std::nullopt);
  watch.arm(kNow, kNow);
  watch.disarm();
  EXPECT_EQ(watch.went_off(kNow + 500ms), std::nullopt);
}

// Row 45 of docs/bugs.md: a node that had been quiet took its first news for seconds of lag.
TEST(LoopWatch, DeadlineInThePastIsNoLag) {
  LoopWatch watch;
  EXPECT_EQ(watch.arm(kNow - 10s, kNow), kNow);
  EXPECT_EQ(watch.went_off(kNow + 1ms), std::nullopt);
}

}  // namespace
}  // namespace hyperscale::cluster
