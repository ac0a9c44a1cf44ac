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

TEST(CircuitBreaker, StatesHaveNames) {
  EXPECT_EQ(name(BreakerState::kClosed), "closed");
  EXPECT_EQ(name(BreakerState::kOpen), "open");
  EXPECT_EQ(name(BreakerState::kHalfOpen), "half-open");
}

}  // namespace
}  // namespace hyperscale::runtime
