#include "plan/segment.h"

#include <numeric>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::plan {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

// proves: EXEC-VU-1, EXEC-VU-2
TEST(SplitVus, TheLastThreadTakesTheRemainder) {
  EXPECT_THAT(split_vus(2'000, 6), ElementsAre(333, 333, 333, 333, 333, 335));
  EXPECT_THAT(split_vus(333, 2), ElementsAre(166, 167));
  EXPECT_THAT(split_vus(10'000, 4), AllOf(SizeIs(4), Each(2'500)));
}

TEST(SplitVus, FewerUsersThanThreads) {
  EXPECT_THAT(split_vus(3, 5), ElementsAre(0, 0, 0, 0, 3));
  EXPECT_THAT(split_vus(0, 2), ElementsAre(0, 0));
}

TEST(SplitVus, LargestNumbers) {
  EXPECT_THAT(split_vus(UINT32_MAX, 1), ElementsAre(UINT32_MAX));
  EXPECT_THAT(split_vus(UINT32_MAX, 2), ElementsAre(UINT32_MAX / 2, UINT32_MAX / 2 + 1));
}

// proves: EXEC-VU-1
RC_GTEST_PROP(SplitVus, AllAreGivenOutEvenly, (std::uint32_t vus)) {
  const auto threads = *rc::gen::inRange<std::uint32_t>(1, 300);
  const auto shares = split_vus(vus, threads);
  RC_ASSERT(shares.size() == threads);
  RC_ASSERT(std::accumulate(shares.begin(), shares.end(), std::uint64_t{0}) == vus);
  for (std::size_t i = 0; i + 1 < shares.size(); ++i) RC_ASSERT(shares[i] == vus / threads);
  RC_ASSERT(shares.back() == vus / threads + vus % threads);
}

// proves: EXEC-VU-1
RC_GTEST_PROP(Segments, FollowEachOtherAndCoverAll, (std::uint32_t vus)) {
  const auto executors = *rc::gen::inRange<std::uint32_t>(1, 300);
  const auto shares = split_vus(vus, executors);
  const auto segments = segments_of(vus, executors);
  RC_ASSERT(segments.size() == executors);
  std::uint32_t next_vu = 0;
  for (std::uint32_t i = 0; i < executors; ++i) {
    RC_ASSERT(segments[i].first_vu == next_vu);
    RC_ASSERT(segments[i].index == i);
    RC_ASSERT(segments[i].count == executors);
    RC_ASSERT(segments[i].vu_total == vus);
    RC_ASSERT(segments[i].vu_count == shares[i]);
    next_vu += segments[i].vu_count;
  }
  RC_ASSERT(next_vu == vus);
}

// proves: EXEC-VU-1
TEST(Segments, AnExecutorWithoutUsersKeepsItsSegment) {
  const auto segments = segments_of(1, 3);
  ASSERT_THAT(segments, SizeIs(3));
  EXPECT_EQ(segments[0], (Segment{.first_vu = 0, .vu_count = 0, .vu_total = 1, .index = 0, .count = 3}));
  EXPECT_EQ(segments[2], (Segment{.first_vu = 0, .vu_count = 1, .vu_total = 1, .index = 2, .count = 3}));
}

RC_GTEST_PROP(ShareOf, IsTheNumberOfThingsThatFallToTheSegment, ()) {
  const auto total = *rc::gen::inRange<std::uint64_t>(0, 2'000);
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 50);
  for (const Segment& segment : segments_of(0, count)) {
    std::uint64_t expected = 0;
    for (std::uint64_t k = 0; k < total; ++k) expected += k % count == segment.index ? 1 : 0;
    RC_ASSERT(share_of(total, segment) == expected);
  }
}

RC_GTEST_PROP(ShareOf, SharesSumUpToTheTotal, (std::uint64_t total)) {
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 300);
  std::uint64_t sum = 0;
  for (const Segment& segment : segments_of(10, count)) sum += share_of(total, segment);
  RC_ASSERT(sum == total);
}

RC_GTEST_PROP(UsersOf, SegmentsSumToAllUsersAndOnlyGrow, ()) {
  const auto planned = *rc::gen::inRange<std::uint32_t>(0, 60);
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 9);
  const auto total = *rc::gen::inRange<std::uint64_t>(0, 200);
  std::uint64_t sum = 0;
  for (const Segment& segment : segments_of(planned, count)) {
    sum += users_of(total, segment);
    RC_ASSERT(users_of(total, segment) <= users_of(total + 1, segment));
  }
  RC_ASSERT(sum == total);
}

}  // namespace
}  // namespace hyperscale::plan
