#include "runtime/policy/keyed_rate_limiter.h"

#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

constexpr MonoTime kStart = MonoTime::from_ns(1'000'000'000'000);

TEST(KeyedRateLimiter, EachKeyHasItsOwnBudget) {
  KeyedRateLimiter limiter(1, 2, 10);
  EXPECT_TRUE(limiter.allow("10.0.0.1", kStart));
  EXPECT_TRUE(limiter.allow("10.0.0.1", kStart));
  EXPECT_FALSE(limiter.allow("10.0.0.1", kStart));
  EXPECT_TRUE(limiter.allow("10.0.0.2", kStart));
  EXPECT_TRUE(limiter.allow("10.0.0.1", kStart + 1s));
  EXPECT_EQ(limiter.size(), 2u);
}

TEST(KeyedRateLimiter, ForgetsTheKeyUnusedForLongest) {
  KeyedRateLimiter limiter(0, 1, 2);
  EXPECT_TRUE(limiter.allow("a", kStart));
  EXPECT_TRUE(limiter.allow("b", kStart));
  EXPECT_FALSE(limiter.allow("a", kStart));  // a is now the more recent one
  EXPECT_TRUE(limiter.allow("c", kStart));   // b makes room
  EXPECT_FALSE(limiter.allow("a", kStart)) << "a was kept";
  EXPECT_TRUE(limiter.allow("b", kStart)) << "b was forgotten and starts afresh";
  EXPECT_EQ(limiter.size(), 2u);
}

TEST(KeyedRateLimiter, MemoryIsBoundedWhateverTheKeys) {
  KeyedRateLimiter limiter(10, 10, 64);
  for (int i = 0; i < 10'000; ++i) EXPECT_TRUE(limiter.allow(fmt::format("peer-{}", i), kStart));
  EXPECT_EQ(limiter.size(), 64u);
}

TEST(KeyedRateLimiter, DoesNotKeepTheCallersString) {
  KeyedRateLimiter limiter(0, 1, 4);
  std::string key = "a tenant with a name that is too long for a small string";
  EXPECT_TRUE(limiter.allow(key, kStart));
  const std::string same = key;
  key.assign(key.size(), 'x');
  EXPECT_FALSE(limiter.allow(same, kStart));
  EXPECT_TRUE(limiter.allow(key, kStart));
}

TEST(KeyedRateLimiter, ClearForgetsEverything) {
  KeyedRateLimiter limiter(0, 1, 4);
  EXPECT_TRUE(limiter.allow("a", kStart));
  limiter.clear();
  EXPECT_EQ(limiter.size(), 0u);
  EXPECT_TRUE(limiter.allow("a", kStart));
}

}  // namespace
}  // namespace hyperscale::runtime
