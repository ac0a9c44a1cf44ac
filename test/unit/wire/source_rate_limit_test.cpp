#include "wire/source_rate_limit.h"

#include "base/prng.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::wire {
namespace {

const NodeAddress kA = address_v4(10, 0, 0, 1, 7100);
const NodeAddress kB = address_v4(10, 0, 0, 2, 7100);
constexpr MonoTime kStart = MonoTime::from_ns(1'000'000'000);

int admitted(SourceRateLimit& limit, const NodeAddress& source, MonoTime now, int offered) {
  int count = 0;
  for (int i = 0; i < offered; ++i) count += limit.admit(source, now) ? 1 : 0;
  return count;
}

// proves part: SEC-5 (a bucket for each address and its two numbers in the core; no setting of a node gives them)
TEST(SourceRateLimit, AllowsABurstAndThenTheRate) {
  SourceRateLimit limit({.capacity = 20, .refill_per_second = 10, .sources_max = 100});
  EXPECT_EQ(admitted(limit, kA, kStart, 100), 20);
  EXPECT_EQ(admitted(limit, kA, kStart + 99ms, 100), 0);
  EXPECT_EQ(admitted(limit, kA, kStart + 100ms, 100), 1);
  EXPECT_EQ(admitted(limit, kA, kStart + 1100ms, 100), 10);
  EXPECT_EQ(admitted(limit, kA, kStart + 1h, 100), 20);
}

// proves part: SEC-5 (a bucket for each address and its two numbers in the core; no setting of a node gives them)
TEST(SourceRateLimit, EverySourceHasItsOwnBucket) {
  SourceRateLimit limit({.capacity = 5, .refill_per_second = 1, .sources_max = 100});
  EXPECT_EQ(admitted(limit, kA, kStart, 10), 5);
  EXPECT_EQ(admitted(limit, kB, kStart, 10), 5);
  NodeAddress other_port = kA;
  other_port.port = 1;
  EXPECT_EQ(admitted(limit, other_port, kStart, 10), 5);
}

TEST(SourceRateLimit, ForgetsFullBucketsFirstAndThenLosesNothing) {
  SourceRateLimit limit({.capacity = 2, .refill_per_second = 1, .sources_max = 2});
  EXPECT_EQ(admitted(limit, kA, kStart, 2), 2);  // full again after 2 s
  EXPECT_EQ(admitted(limit, kB, kStart, 1), 1);  // full again after 1 s
  const NodeAddress third = address_v4(10, 0, 0, 3, 1);
  EXPECT_TRUE(limit.admit(third, kStart + 1s));  // takes the place of B
  EXPECT_EQ(limit.forgotten(), 0u);
  EXPECT_EQ(limit.sources(), 2u);
  EXPECT_EQ(admitted(limit, kA, kStart + 1s, 5), 1);  // A is still remembered
}

TEST(SourceRateLimit, CountsWhatItForgetsUnderAFloodOfSources) {
  SourceRateLimit limit({.capacity = 5, .refill_per_second = 1, .sources_max = 10});
  EXPECT_EQ(admitted(limit, kA, kStart, 5), 5);
  for (std::uint8_t i = 0; i < 100; ++i) EXPECT_TRUE(limit.admit(address_v4(10, 9, 9, i, 1), kStart));
  EXPECT_EQ(limit.sources(), 10u);
  EXPECT_EQ(limit.forgotten(), 91u);
  EXPECT_FALSE(limit.admit(kA, kStart));  // whoever used the most is remembered the longest
}

// In any stretch of time a source gets at most its capacity and what was refilled.
TEST(SourceRateLimit, NeverExceedsCapacityPlusRefill) {
  EXPECT_TRUE(rc::check("bound", [](std::uint64_t seed) {
    Prng prng(seed);
    const SourceRateConfig config{.capacity = static_cast<std::uint32_t>(1 + prng.below(20)),
                                  .refill_per_second = static_cast<std::uint32_t>(1 + prng.below(300)),
                                  .sources_max = 4};
    SourceRateLimit limit(config);
    std::vector<MonoTime> passed;
    MonoTime now = kStart;
    for (int i = 0; i < 300; ++i) {
      now += prng.between(0ms, 20ms);
      if (limit.admit(kA, now)) passed.push_back(now);
    }
    double worst = 0;
    for (std::size_t from = 0; from < passed.size(); ++from) {
      for (std::size_t to = from; to < passed.size(); ++to) {
        const double seconds = static_cast<double>((passed[to] - passed[from]).count()) / 1e9;
        worst = std::max(worst, static_cast<double>(to - from + 1) - seconds * config.refill_per_second);
      }
    }
    RC_ASSERT(worst <= config.capacity + 0.01);
  }));
}

}  // namespace
}  // namespace hyperscale::wire
