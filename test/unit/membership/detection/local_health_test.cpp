#include "membership/detection/local_health.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::membership {
namespace {

LocalHealth with_score(std::uint32_t score) {
  LocalHealth health;
  while (health.score() < score) health.record(HealthEvent::kProbeFailed);
  return health;
}

int change(HealthEvent event) {
  LocalHealth health = with_score(4);
  health.record(event);
  return static_cast<int>(health.score()) - 4;
}

// proves part: SWIM-LHM-1 (not failed probes of a suspect, nor of one whose host refuses them)
TEST(LocalHealth, EventsChangeTheScoreByTheTable) {
  EXPECT_EQ(change(HealthEvent::kProbeSucceeded), -1);
  EXPECT_EQ(change(HealthEvent::kProbeFailed), 1);
  EXPECT_EQ(change(HealthEvent::kIndirectProbeNeeded), 1);
  EXPECT_EQ(change(HealthEvent::kLoopLagged), 1);
  EXPECT_EQ(change(HealthEvent::kLoopLaggedSeverely), 2);
  EXPECT_EQ(change(HealthEvent::kLoopRecovered), -1);
  EXPECT_EQ(change(HealthEvent::kSuspicionStarted), 1);
  EXPECT_EQ(change(HealthEvent::kRefutationSucceeded), -1);
}

// proves: SWIM-LHM-3
// proves part: SWIM-LHM-1 (not failed probes of a suspect, nor of one whose host refuses them)
TEST(LocalHealth, StaysBetweenZeroAndEight) {
  LocalHealth health;
  health.record(HealthEvent::kProbeSucceeded);
  EXPECT_EQ(health.score(), 0U);
  health = with_score(7);
  health.record(HealthEvent::kLoopLaggedSeverely);
  EXPECT_EQ(health.score(), 8U);
  health.record(HealthEvent::kProbeFailed);
  EXPECT_EQ(health.score(), 8U);
}

// proves: SWIM-LHM-3
TEST(LocalHealth, TimeoutsGrowByAQuarterForEachPoint) {
  EXPECT_EQ(with_score(0).effective_timeout(500ms), 500ms);
  EXPECT_EQ(with_score(2).effective_timeout(500ms), 750ms);
  EXPECT_EQ(with_score(4).effective_timeout(500ms), 1'000ms);
  EXPECT_EQ(with_score(8).effective_timeout(500ms), 1'500ms);
  EXPECT_DOUBLE_EQ(with_score(3).multiplier(), 1.75);
}

// proves part: SWIM-LHM-1 (not failed probes of a suspect, nor of one whose host refuses them)
TEST(LocalHealth, LagCountsByItsRatioToThePeriod) {
  LocalHealth health;
  health.observe_loop(100ms, 100ms);
  EXPECT_EQ(health.score(), 0U) << "not more than a period";
  health.observe_loop(150ms, 100ms);
  EXPECT_EQ(health.score(), 1U);
  health.observe_loop(200ms, 100ms);
  EXPECT_EQ(health.score(), 2U) << "two periods are not more than two";
  health.observe_loop(201ms, 100ms);
  EXPECT_EQ(health.score(), 4U);
  health.observe_loop(0ms, 100ms);
  EXPECT_EQ(health.score(), 3U) << "recovered";
  health.observe_loop(0ms, 100ms);
  EXPECT_EQ(health.score(), 3U) << "recovering is told once";
  health.observe_loop(5s, 0ms);
  EXPECT_EQ(health.score(), 3U);
}

// proves part: SWIM-LHM-1 (not failed probes of a suspect, nor of one whose host refuses them)
RC_GTEST_PROP(LocalHealth, NoSequenceOfEventsLeavesTheRange, ()) {
  LocalHealth health;
  for (const int event : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 8))) {
    health.record(static_cast<HealthEvent>(event));
    RC_ASSERT(health.score() <= kHealthScoreMax);
    RC_ASSERT((health.multiplier() >= 1.0 && health.multiplier() <= 3.0));
  }
}

}  // namespace
}  // namespace hyperscale::membership
