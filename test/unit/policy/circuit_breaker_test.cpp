#include "runtime/policy/circuit_breaker.h"

#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

constexpr MonoTime kStart = MonoTime::from_ns(1'000'000'000'000);

void report(CircuitBreaker& breaker, MonoTime now, int successes, int failures) {
  for (int i = 0; i < successes; ++i) breaker.on_success(now);
  for (int i = 0; i < failures; ++i) breaker.on_failure(now);
}

CircuitBreaker opened_at(MonoTime now, BreakerLimits limits = {}) {
  CircuitBreaker breaker(limits);
  report(breaker, now, 0, 20);
  EXPECT_EQ(breaker.state(now), BreakerState::kOpen);
  return breaker;
}

// proves part: NODE-TIME-5 (breaker and dispatcher; not: in a node, with what is configured)
TEST(CircuitBreaker, StaysClosedBelowTheErrorRate) {
  CircuitBreaker breaker;
  report(breaker, kStart, 60, 59);
  EXPECT_EQ(breaker.state(kStart), BreakerState::kClosed);
  EXPECT_TRUE(breaker.allow(kStart));
}

TEST(CircuitBreaker, StaysClosedWithTooFewSamples) {
  CircuitBreaker breaker;
  report(breaker, kStart, 0, 19);
  EXPECT_EQ(breaker.state(kStart), BreakerState::kClosed);
  breaker.on_failure(kStart);
  EXPECT_EQ(breaker.state(kStart), BreakerState::kOpen);
}

// proves part: NODE-TIME-5 (breaker and dispatcher; not: in a node, with what is configured)
TEST(CircuitBreaker, OpensOnErrorsProbesThenCloses) {
  CircuitBreaker breaker;
  report(breaker, kStart, 10, 10);
  EXPECT_EQ(breaker.state(kStart), BreakerState::kOpen);
  EXPECT_FALSE(breaker.allow(kStart));
  EXPECT_FALSE(breaker.allow(kStart + 5s - 1ns));
  EXPECT_EQ(breaker.state(kStart + 5s), BreakerState::kHalfOpen);
  EXPECT_TRUE(breaker.allow(kStart + 5s));
  EXPECT_FALSE(breaker.allow(kStart + 5s)) << "one probe at a time";
  breaker.on_success(kStart + 6s);
  EXPECT_EQ(breaker.state(kStart + 6s), BreakerState::kClosed);
  EXPECT_TRUE(breaker.allow(kStart + 6s));
  // The old failures are forgotten.
  report(breaker, kStart + 6s, 0, 19);
  EXPECT_EQ(breaker.state(kStart + 6s), BreakerState::kClosed);
}

// proves part: NODE-TIME-5 (breaker and dispatcher; not: in a node, with what is configured)
TEST(CircuitBreaker, AFailedProbeOpensForAnotherCoolDown) {
  CircuitBreaker breaker = opened_at(kStart);
  ASSERT_TRUE(breaker.allow(kStart + 5s));
  breaker.on_failure(kStart + 6s);
  EXPECT_EQ(breaker.state(kStart + 6s), BreakerState::kOpen);
  EXPECT_FALSE(breaker.allow(kStart + 11s - 1ns));
  EXPECT_TRUE(breaker.allow(kStart + 11s));
}

// proves part: NODE-TIME-5 (breaker and dispatcher; not: in a node, with what is configured)
TEST(CircuitBreaker, TheWindowRolls) {
  CircuitBreaker breaker;
  report(breaker, kStart, 0, 19);
  // Ten seconds later those failures no longer count.
  report(breaker, kStart + 10s, 0, 19);
  EXPECT_EQ(breaker.state(kStart + 10s), BreakerState::kClosed);
  // Within the window they add up.
  breaker.on_failure(kStart + 18s);
  EXPECT_EQ(breaker.state(kStart + 18s), BreakerState::kOpen);
}

// The most samples that the configuration accepts: whoever wants no breaker sets that.
// proves part: NODE-TIME-5 (breaker and dispatcher; not: in a node, with what is configured)
TEST(CircuitBreaker, ItCanBePutOutOfUse) {
  CircuitBreaker breaker({.min_samples = 1'000'000});
  report(breaker, kStart, 0, 100'000);
  EXPECT_EQ(breaker.state(kStart), BreakerState::kClosed);
  EXPECT_TRUE(breaker.allow(kStart));
}

TEST(CircuitBreaker, SamplesOfALongIdlePastDoNotCount) {
  CircuitBreaker breaker;
  report(breaker, kStart, 0, 19);
  breaker.on_failure(kStart + 1h);
  EXPECT_EQ(breaker.state(kStart + 1h), BreakerState::kClosed);
}

TEST(CircuitBreaker, LateResultsWhileOpenChangeNothing) {
  CircuitBreaker breaker = opened_at(kStart);
  breaker.on_success(kStart + 1s);
  breaker.on_failure(kStart + 4s);
  EXPECT_EQ(breaker.state(kStart + 4s), BreakerState::kOpen);
  EXPECT_TRUE(breaker.allow(kStart + 5s)) << "the cool-down was not extended";
}

TEST(CircuitBreaker, AProbeThatNeverReportsDoesNotWedgeIt) {
  CircuitBreaker breaker = opened_at(kStart);
  ASSERT_TRUE(breaker.allow(kStart + 5s));
  EXPECT_FALSE(breaker.allow(kStart + 10s - 1ns));
  EXPECT_TRUE(breaker.allow(kStart + 10s));
}

TEST(CircuitBreaker, ClosesOnlyWhenAllProbesSucceeded) {
  CircuitBreaker breaker = opened_at(kStart, {.half_open_probes = 3});
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(breaker.allow(kStart + 5s));
  EXPECT_FALSE(breaker.allow(kStart + 5s));
  breaker.on_success(kStart + 5s);
  breaker.on_success(kStart + 5s);
  EXPECT_EQ(breaker.state(kStart + 5s), BreakerState::kHalfOpen);
  breaker.on_success(kStart + 5s);
  EXPECT_EQ(breaker.state(kStart + 5s), BreakerState::kClosed);
}

constexpr BreakerLimits kThreeIn30s{
    .rule = BreakerRule::kErrorCount, .window = 30s, .errors = 3, .cool_down = 10s, .half_open_probes = 1};
constexpr BreakerLimits kFiveInARow{
    .rule = BreakerRule::kErrorsInARow, .errors = 5, .cool_down = 30s, .half_open_probes = 3, .probes_at_once = 1};

TEST(CircuitBreaker, ErrorsWithinTheWindowOpen) {
  CircuitBreaker breaker(kThreeIn30s);
  breaker.on_failure(kStart);
  breaker.on_failure(kStart + 10s);
  report(breaker, kStart + 20s, 1000, 0);
  EXPECT_EQ(breaker.state(kStart + 30s), BreakerState::kClosed);
  breaker.on_failure(kStart + 30s);
  EXPECT_EQ(breaker.state(kStart + 30s), BreakerState::kOpen) << "successes between them do not matter";
}

TEST(CircuitBreaker, ErrorsLeaveTheWindowOneByOne) {
  CircuitBreaker breaker(kThreeIn30s);
  for (const Duration at : {0s, 20s, 31s, 52s, 62s}) breaker.on_failure(kStart + at);
  EXPECT_EQ(breaker.state(kStart + 62s), BreakerState::kClosed) << "never three in 30 s";
  breaker.on_failure(kStart + 82s);
  EXPECT_EQ(breaker.state(kStart + 82s), BreakerState::kOpen) << "52, 62 and 82";
}

TEST(CircuitBreaker, OldErrorsAreForgottenWhenItCloses) {
  CircuitBreaker breaker(kThreeIn30s);
  report(breaker, kStart, 0, 3);
  ASSERT_TRUE(breaker.allow(kStart + 10s));
  breaker.on_success(kStart + 10s);
  ASSERT_EQ(breaker.state(kStart + 10s), BreakerState::kClosed);
  report(breaker, kStart + 11s, 0, 2);
  EXPECT_EQ(breaker.state(kStart + 11s), BreakerState::kClosed);
}

TEST(CircuitBreaker, ErrorsInARowOpen) {
  CircuitBreaker breaker(kFiveInARow);
  report(breaker, kStart, 0, 4);
  breaker.on_success(kStart);
  report(breaker, kStart, 0, 4);
  EXPECT_EQ(breaker.state(kStart), BreakerState::kClosed);
  breaker.on_failure(kStart + 24h);
  EXPECT_EQ(breaker.state(kStart + 24h), BreakerState::kOpen) << "however long it took";
}

TEST(CircuitBreaker, ProbesFollowEachOther) {
  CircuitBreaker breaker(kFiveInARow);
  report(breaker, kStart, 0, 5);
  EXPECT_FALSE(breaker.allow(kStart + 30s - 1ns));
  for (const Duration at : {30s, 40s, 50s}) {
    EXPECT_TRUE(breaker.allow(kStart + at));
    EXPECT_FALSE(breaker.allow(kStart + at + 1s)) << "one runs";
    EXPECT_EQ(breaker.state(kStart + at + 1s), BreakerState::kHalfOpen);
    breaker.on_success(kStart + at + 2s);
  }
  EXPECT_EQ(breaker.state(kStart + 52s), BreakerState::kClosed);
  // A failure among the probes opens it again for the whole time.
  report(breaker, kStart + 60s, 0, 5);
  EXPECT_TRUE(breaker.allow(kStart + 90s));
  breaker.on_success(kStart + 91s);
  EXPECT_TRUE(breaker.allow(kStart + 92s));
  breaker.on_failure(kStart + 93s);
  EXPECT_FALSE(breaker.allow(kStart + 123s - 1ns));
  EXPECT_TRUE(breaker.allow(kStart + 123s));
}

TEST(CircuitBreaker, ALostProbeOfSeveralDoesNotWedgeIt) {
  CircuitBreaker breaker(kFiveInARow);
  report(breaker, kStart, 0, 5);
  ASSERT_TRUE(breaker.allow(kStart + 30s));
  breaker.on_success(kStart + 31s);
  ASSERT_TRUE(breaker.allow(kStart + 50s));
  EXPECT_FALSE(breaker.allow(kStart + 80s - 1ns)) << "that probe may still answer";
  EXPECT_TRUE(breaker.allow(kStart + 80s));
}

TEST(CircuitBreaker, StatesHaveNames) {
  EXPECT_EQ(name(BreakerState::kClosed), "closed");
  EXPECT_EQ(name(BreakerState::kOpen), "open");
  EXPECT_EQ(name(BreakerState::kHalfOpen), "half-open");
}

}  // namespace
}  // namespace hyperscale::runtime
