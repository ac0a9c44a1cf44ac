#include "reliability/retry_delay.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::reliability {
namespace {

struct Range {
  Duration least = Duration::max();
  Duration most{};
};

// Over many draws, which come close to both ends.
Range range_of(const RetryDelays& delays, int retry, Duration previous = {}) {
  Prng prng(5);
  Range range;
  for (int i = 0; i < 2'000; ++i) {
    const Duration delay = retry_delay(delays, retry, previous, prng);
    range.least = std::min(range.least, delay);
    range.most = std::max(range.most, delay);
  }
  return range;
}

void expect_about(const Range& range, Duration least, Duration most) {
  const Duration slack = (most - least) / 100 + 1ns;
  EXPECT_GE(range.least, least);
  EXPECT_LE(range.least, least + slack);
  EXPECT_LE(range.most, most);
  EXPECT_GE(range.most, most - slack);
}

// proves part: AD21-1 (the three strategies; calls of the cluster do not use them yet)
TEST(RetryDelay, FullIsAnythingUpToTheCeiling) {
  const RetryDelays delays{.base = 500ms, .cap = 30s};
  expect_about(range_of(delays, 0), 0s, 500ms);
  expect_about(range_of(delays, 3), 0s, 4s);
  expect_about(range_of(delays, 6), 0s, 30s);
  expect_about(range_of(delays, 1'000), 0s, 30s);
}

// proves part: AD21-1 (the three strategies; calls of the cluster do not use them yet)
TEST(RetryDelay, EqualKeepsHalf) {
  const RetryDelays delays{.base = 500ms, .cap = 30s, .jitter = Jitter::kEqual};
  expect_about(range_of(delays, 0), 250ms, 500ms);
  expect_about(range_of(delays, 2), 1s, 2s);
  expect_about(range_of(delays, 50), 15s, 30s);
}

// proves part: AD21-1 (the three strategies; calls of the cluster do not use them yet)
TEST(RetryDelay, DecorrelatedGrowsFromTheDelayBefore) {
  const RetryDelays delays{.base = 500ms, .cap = 30s, .jitter = Jitter::kDecorrelated};
  expect_about(range_of(delays, 0), 500ms, 1500ms);
  expect_about(range_of(delays, 1, 2s), 500ms, 6s);
  const Range capped = range_of(delays, 9, 30s);
  EXPECT_GE(capped.least, 500ms);
  EXPECT_EQ(capped.most, 30s);
}

TEST(RetryDelay, JitterIsReadFromItsName) {
  EXPECT_EQ(parse_jitter("full"), Jitter::kFull);
  EXPECT_EQ(parse_jitter("equal"), Jitter::kEqual);
  EXPECT_EQ(parse_jitter("decorrelated"), Jitter::kDecorrelated);
  const auto unknown = parse_jitter("none");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().context, "\"none\" is no jitter: full, equal or decorrelated");
}

}  // namespace
}  // namespace hyperscale::reliability
