#include "runtime/policy/jittered_backoff.h"

#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::runtime {
namespace {

// proves: NODE-TOP-5
// proves part: NODE-TIME-4 (the schedule, tries and deadline; not: that the dispatcher waits between tries)
TEST(JitteredBackoff, EachDelayIsLongerUntilTheCapAndNoneExceedsIt) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    JitteredBackoff backoff(100ms, 500ms, 5s, Prng(seed));
    Duration previous = backoff.next();
    RC_ASSERT((previous >= 100ms && previous <= 500ms));
    for (int i = 0; i < 20; ++i) {
      const Duration delay = backoff.next();
      RC_ASSERT(delay <= 5s);
      if (previous <= 2s) RC_ASSERT(delay > previous);
      // Exponential: doubled, less the jitter at both ends.
      if (previous <= 1800ms) RC_ASSERT((delay >= previous * 3 / 2 && delay <= previous * 8 / 3 + 1ns));
      previous = delay;
    }
    RC_ASSERT(previous >= 3750ms);
  }));
}

// proves: NODE-TOP-5
// proves part: NODE-TIME-4 (the schedule, tries and deadline; not: that the dispatcher waits between tries)
TEST(JitteredBackoff, DelaysAtTheCapStillDiffer) {
  JitteredBackoff backoff(100ms, 500ms, 5s, Prng(7));
  for (int i = 0; i < 8; ++i) backoff.next();
  std::set<Duration> delays;
  for (int i = 0; i < 50; ++i) delays.insert(backoff.next());
  EXPECT_GT(delays.size(), 45u);
}

TEST(JitteredBackoff, TheSameSeedGivesTheSameDelaysAndOthersDoNot) {
  JitteredBackoff a(100ms, 500ms, 5s, Prng(1));
  JitteredBackoff b(100ms, 500ms, 5s, Prng(1));
  JitteredBackoff c(100ms, 500ms, 5s, Prng(2));
  int equal_to_c = 0;
  for (int i = 0; i < 10; ++i) {
    const Duration delay = a.next();
    EXPECT_EQ(delay, b.next());
    if (delay == c.next()) ++equal_to_c;
  }
  EXPECT_LT(equal_to_c, 2);
}

TEST(JitteredBackoff, ResetStartsAfresh) {
  JitteredBackoff backoff(100ms, 500ms, 5s, Prng(3));
  for (int i = 0; i < 8; ++i) backoff.next();
  backoff.reset();
  EXPECT_LE(backoff.next(), 500ms);
}

TEST(JitteredBackoff, ACapAtTheEndOfTimeDoesNotOverflow) {
  JitteredBackoff backoff(100ms, 500ms, Duration::max(), Prng(4));
  Duration previous = backoff.next();
  for (int i = 0; i < 100; ++i) {
    const Duration delay = backoff.next();
    ASSERT_GT(delay, Duration::zero());
    if (i < 30) ASSERT_GT(delay, previous);
    previous = delay;
  }
}

TEST(JitteredBackoffDeathTest, RefusesLimitsThatMakeNoSense) {
  EXPECT_DEATH(JitteredBackoff(500ms, 100ms, 5s, Prng(1)), "backoff");
  EXPECT_DEATH(JitteredBackoff(0ms, 100ms, 5s, Prng(1)), "backoff");
  EXPECT_DEATH(JitteredBackoff(100ms, 500ms, 400ms, Prng(1)), "backoff");
}

}  // namespace
}  // namespace hyperscale::runtime
