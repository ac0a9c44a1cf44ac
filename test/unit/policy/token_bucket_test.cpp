#include "runtime/policy/token_bucket.h"

#include "base/prng.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::runtime {
namespace {

constexpr MonoTime kStart = MonoTime::from_ns(1'000'000'000'000);

TEST(TokenBucket, StartsFullAndRefillsAtTheRate) {
  TokenBucket bucket(100, 200);
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(bucket.try_take(kStart)) << i;
  EXPECT_FALSE(bucket.try_take(kStart));
  EXPECT_FALSE(bucket.try_take(kStart + 9ms));
  EXPECT_TRUE(bucket.try_take(kStart + 11ms));
  EXPECT_FALSE(bucket.try_take(kStart + 11ms));
}

TEST(TokenBucket, KeepsNoMoreThanTheBurst) {
  TokenBucket bucket(100, 5);
  ASSERT_TRUE(bucket.try_take(kStart, 5));
  EXPECT_DOUBLE_EQ(bucket.available(kStart + 1h), 5);
  EXPECT_FALSE(bucket.try_take(kStart + 1h, 6));
  EXPECT_TRUE(bucket.try_take(kStart + 1h, 5)) << "the refused call took nothing";
}

TEST(TokenBucket, TimeThatGoesBackwardsGivesNothing) {
  TokenBucket bucket(100, 1);
  ASSERT_TRUE(bucket.try_take(kStart + 1s));
  EXPECT_FALSE(bucket.try_take(kStart));
  EXPECT_FALSE(bucket.try_take(kStart + 1s));
  EXPECT_TRUE(bucket.try_take(kStart + 1s + 11ms));
}

TEST(TokenBucket, ARateOfZeroIsAFixedBudget) {
  TokenBucket bucket(0, 2);
  EXPECT_TRUE(bucket.try_take(kStart));
  EXPECT_TRUE(bucket.try_take(kStart));
  EXPECT_FALSE(bucket.try_take(kStart + 1h));
}

TEST(TokenBucket, NeverGrantsMoreThanBurstPlusRateTimesTime) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Prng prng(seed);
    TokenBucket bucket(50, 10);
    MonoTime now = kStart;
    int granted = 0;
    for (int i = 0; i < 500; ++i) {
      now += prng.between(0ms, 20ms);
      granted += bucket.try_take(now) ? 1 : 0;
    }
    const double elapsed_s = std::chrono::duration<double>(now - kStart).count();
    RC_ASSERT(granted <= 10 + 50 * elapsed_s + 1e-6);
    // Demand is twice the rate, so the limit is also reached.
    RC_ASSERT(granted >= 50 * elapsed_s - 10);
  }));
}

}  // namespace
}  // namespace hyperscale::runtime
