#include "base/snowflake.h"

#include <set>

#include <rapidcheck/gtest.h>

namespace hyperscale {
namespace {

constexpr WallTime kStart = WallTime::from_ns((kSnowflakeEpochUnixMs + 5'000) * 1'000'000);

TEST(Snowflake, LayoutIsTimeNodeSequence) {
  SnowflakeGenerator generator(3);
  EXPECT_EQ(generator.next(kStart)->value(), 5'000ULL << 22 | 3ULL << 12 | 0);
  EXPECT_EQ(generator.next(kStart)->value(), 5'000ULL << 22 | 3ULL << 12 | 1);
  EXPECT_EQ(generator.next(kStart + 1ms)->value(), 5'001ULL << 22 | 3ULL << 12 | 0);
  const SnowflakeParts parts = parts_of(SnowflakeId(5'001ULL << 22 | 3ULL << 12 | 9));
  EXPECT_EQ(parts.made_at, kStart + 1ms);
  EXPECT_EQ(parts.node_id, 3U);
  EXPECT_EQ(parts.sequence, 9U);
}

TEST(Snowflake, FullMillisecondGoesOnInTheNext) {
  SnowflakeGenerator generator(0);
  for (std::uint32_t i = 0; i <= kSnowflakeSequenceMax; ++i) ASSERT_EQ(parts_of(*generator.next(kStart)).sequence, i);
  const SnowflakeParts parts = parts_of(*generator.next(kStart));
  EXPECT_EQ(parts.made_at, kStart + 1ms);
  EXPECT_EQ(parts.sequence, 0U);
  // The clock reaches the borrowed millisecond: ids go on inside it.
  EXPECT_EQ(parts_of(*generator.next(kStart + 1ms)).sequence, 1U);
}

TEST(Snowflake, ClockGoingBackIsBridgedUpToTheLimit) {
  SnowflakeGenerator generator(1);
  const SnowflakeId first = *generator.next(kStart);
  const SnowflakeId second = *generator.next(kStart - kSnowflakeLeadMax);
  EXPECT_LT(first, second);
  EXPECT_EQ(parts_of(second).made_at, kStart);
  const auto refused = generator.next(kStart - kSnowflakeLeadMax - 1ms);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
  // A refusal does not lose the place.
  EXPECT_EQ(parts_of(*generator.next(kStart)).sequence, 2U);
}

TEST(Snowflake, RunningAheadOfAStoppedClockIsBounded) {
  SnowflakeGenerator generator(1);
  std::uint64_t made = 0;
  while (generator.next(kStart)) ++made;
  EXPECT_EQ(made, (kSnowflakeSequenceMax + 1ULL) * (1 + kSnowflakeLeadMax / 1ms));
  EXPECT_TRUE(generator.next(kStart + 1ms));
}

TEST(Snowflake, ClockOutsideTheEpochIsUnavailable) {
  SnowflakeGenerator generator(1);
  EXPECT_EQ(generator.next(WallTime()).error().code, ErrorCode::kUnavailable);
  const std::int64_t last_ms = kSnowflakeEpochUnixMs + (std::int64_t{1} << kSnowflakeTimeBits) - 1;
  const WallTime last = WallTime::from_ns(last_ms * 1'000'000);
  EXPECT_TRUE(generator.next(last));
  EXPECT_EQ(generator.next(last + 1ms).error().code, ErrorCode::kUnavailable);
}

RC_GTEST_PROP(Snowflake, GrowsWhateverTheClockDoes, ()) {
  SnowflakeGenerator generator(static_cast<std::uint32_t>(*rc::gen::inRange(0, 1024)));
  std::optional<SnowflakeId> last;
  for (const int step_ms : *rc::gen::container<std::vector<int>>(rc::gen::inRange(-1'500, 1'500))) {
    for (int i = 0; i < 3; ++i) {
      const auto id = generator.next(kStart + step_ms * 1ms);
      if (!id) continue;
      RC_ASSERT((!last || *last < *id));
      last = *id;
    }
  }
}

TEST(Snowflake, NodesNeverCollide) {
  SnowflakeGenerator one(1);
  SnowflakeGenerator two(2);
  std::set<SnowflakeId> ids;
  for (int i = 0; i < 5'000; ++i) {
    ids.insert(*one.next(kStart));
    ids.insert(*two.next(kStart));
  }
  EXPECT_EQ(ids.size(), 10'000U);
}

TEST(SnowflakeDeathTest, NodeIdMustFit) {
  EXPECT_DEATH(SnowflakeGenerator(kSnowflakeNodeMax + 1), "node id 1024 does not fit");
}

}  // namespace
}  // namespace hyperscale
