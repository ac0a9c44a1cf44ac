#include "cluster/degradation.h"

#include <gtest/gtest.h>

namespace hyperscale::cluster {
namespace {

constexpr MonoTime kStart = MonoTime::from_ns(1'000'000'000'000);

// proves part: LEAD-9 (the core; not that a node's loop tells it how late it is)
TEST(Degradation, IsTheWorseOfHealthAndLag) {
  struct Row {
    std::uint32_t score;
    double lag;
    Degradation level;
  };
  for (const auto& [score, lag, level] :
       {Row{0, 0, Degradation::kNormal}, Row{2, 0.49, Degradation::kNormal}, Row{3, 0, Degradation::kElevated},
        Row{4, 0.5, Degradation::kElevated}, Row{0, 1.0, Degradation::kHigh}, Row{6, 0, Degradation::kHigh},
        Row{0, 2.0, Degradation::kSevere}, Row{7, 0, Degradation::kSevere}, Row{0, 4.0, Degradation::kSevere},
        Row{0, 4.1, Degradation::kCritical}, Row{8, 0, Degradation::kCritical}, Row{3, 9, Degradation::kCritical}})
    EXPECT_EQ(degradation_of(score, lag), level) << score << " " << lag;
}

TEST(Degradation, AHiccupIsNoOverloadAndALoopThatIsAlwaysLateIs) {
  DegradationMeter meter(1s);
  EXPECT_EQ(meter.lag_ratio(kStart), 0);
  meter.observe(300ms, 100ms, kStart);
  EXPECT_LT(meter.lag_ratio(kStart), 0.5);
  MonoTime now = kStart;
  for (int i = 0; i < 100; ++i) {
    now += 600ms;
    meter.observe(500ms, 100ms, now);
  }
  EXPECT_NEAR(meter.lag_ratio(now), 5, 0.5);
  EXPECT_LT(meter.lag_ratio(now + 15s), 0.5) << "on time since then";
}

TEST(Degradation, ImmediateTurnsCountForTheirDuration) {
  DegradationMeter meter(1s);
  MonoTime now = kStart;
  for (int i = 0; i < 1000; ++i) {
    now += 100ms;
    meter.observe(100ms, 100ms, now);
  }
  EXPECT_NEAR(meter.lag_ratio(now), 1, 0.05) << "always late by one period";
}

TEST(Degradation, RecoveryTimeDoesNotGrowWithTheStall) {
  DegradationMeter meter(1s);
  meter.observe(3600s, 100ms, kStart);
  EXPECT_GT(meter.lag_ratio(kStart), 4);
  EXPECT_LT(meter.lag_ratio(kStart + 15s), 0.5);
}

TEST(Degradation, TurnsOnTimeOrWithoutPeriodAreNoLag) {
  DegradationMeter meter(1s);
  meter.observe(0ms, 100ms, kStart);
  meter.observe(-5ms, 100ms, kStart);
  meter.observe(10s, 0ms, kStart);
  EXPECT_EQ(meter.lag_ratio(kStart), 0);
}

}  // namespace
}  // namespace hyperscale::cluster
