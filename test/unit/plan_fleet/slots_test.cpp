#include "plan/fleet/slots.h"

#include "plan/fleet/number_sequence.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::plan {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::uint32_t> any_sizes(std::size_t slots) {
  std::vector<std::uint32_t> sizes;
  for (auto left = static_cast<std::uint32_t>(slots); left > 0; left -= sizes.back())
    sizes.push_back(*rc::gen::inRange<std::uint32_t>(1, left + 1));
  return sizes;
}

// A workflow on a fleet of any shape: datacenters with different numbers of threads, and workers of different sizes.
struct Nesting {
  std::uint32_t users = *rc::gen::inRange<std::uint32_t>(1, 80);
  std::uint32_t count = *rc::gen::inRange<std::uint32_t>(1, 5);
  std::vector<std::vector<Segment>> shares;
  std::vector<Segment> slots;

  Nesting() {
    for (std::uint32_t index = 0; index < count; ++index) {
      const auto threads = *rc::gen::inRange<std::uint32_t>(1, 10);
      const auto here = slots_of(users, threads, {index, count});
      for (std::vector<Segment>& share : subdivide(here, any_sizes(here.size()))) {
        slots.insert(slots.end(), share.begin(), share.end());
        shares.push_back(std::move(share));
      }
    }
  }
};

RC_GTEST_PROP(Slots, EveryArrivalBelongsToOne, ()) {
  const Nesting fleet;
  for (std::uint64_t arrival = 0; arrival < 500; ++arrival) {
    std::size_t owners = 0;
    for (const Segment& slot : fleet.slots) owners += arrival % slot.count == slot.index ? 1 : 0;
    RC_ASSERT(owners == 1U);
  }
}

RC_GTEST_PROP(Slots, EveryUserBelongsToOne, ()) {
  const Nesting fleet;
  std::vector<std::uint32_t> owners(fleet.users);
  for (const Segment& slot : fleet.slots) {
    RC_ASSERT(slot.vu_total == fleet.users);
    RC_ASSERT(slot.vu_count > 0U);  // an open loop drops the arrivals of a slot without users
    for (std::uint32_t user = 0; user < slot.vu_count; ++user) ++owners.at(user_number(user, slot));
  }
  RC_ASSERT(owners == std::vector<std::uint32_t>(fleet.users, 1));
}

RC_GTEST_PROP(Slots, EveryIterationBelongsToOne, (std::uint64_t total)) {
  const Nesting fleet;
  std::uint64_t sum = 0;
  for (const Segment& slot : fleet.slots) sum += share_of(total, slot);
  RC_ASSERT(sum == total);
}

RC_GTEST_PROP(Slots, EveryRowBelongsToOneShare, ()) {
  constexpr std::uint64_t kRows = 500;
  const Nesting fleet;
  std::vector<std::uint32_t> owners(kRows);
  for (const auto& share : fleet.shares) {
    const NumberSequence numbers = numbers_of(share);
    for (std::uint64_t n = 0; numbers.nth(n) < kRows; ++n) {
      ++owners[numbers.nth(n)];
      RC_ASSERT(numbers.nth(n) < numbers.nth(n + 1));
    }
  }
  RC_ASSERT(owners == std::vector<std::uint32_t>(kRows, 1));
}

RC_GTEST_PROP(Slots, UsersJoinInOneSlotEach, ()) {
  const Nesting fleet;
  const auto total = *rc::gen::inRange<std::uint64_t>(0, 200);
  std::set<std::uint32_t> numbers;
  std::uint64_t sum = 0;
  for (const Segment& slot : fleet.slots) {
    const std::uint32_t mine = users_of(total, slot);
    RC_ASSERT(mine <= users_of(total + 1, slot));
    if (total <= fleet.users) RC_ASSERT(mine <= slot.vu_count);
    sum += mine;
    for (std::uint32_t user = 0; user < mine; ++user) numbers.insert(user_number(user, slot));
  }
  RC_ASSERT(sum == total);
  RC_ASSERT(numbers.size() == total);
}

RC_GTEST_PROP(Slots, DatacentersHaveEqualUsersAtAnyTime, ()) {
  const Nesting fleet;
  const auto total = *rc::gen::inRange<std::uint64_t>(0, fleet.users + 1);
  std::vector<std::uint64_t> users(fleet.slots.front().datacenters);
  for (const Segment& slot : fleet.slots) users[slot.index % slot.datacenters] += users_of(total, slot);
  const auto [least, most] = std::ranges::minmax(users);
  RC_ASSERT(most - least <= 1U);
}

// What `run --cores` starts is segments_of() of slots_for().
RC_GTEST_PROP(Slots, OneDatacenterIsOneMachine, (std::uint32_t users)) {
  const auto cores = *rc::gen::inRange<std::uint32_t>(1, 300);
  const auto slots = slots_of(users, cores, {});
  RC_ASSERT(slots == segments_of(users, slots_for(cores, users)));
  const NumberSequence numbers = numbers_of(slots);
  for (std::uint64_t n : {0U, 1U, 299U, 4'000'000'000U}) RC_ASSERT(numbers.nth(n) == n);
}

TEST(Slots, AreNumberedOverAllDatacenters) {
  const auto slots = slots_of(14, 3, {.index = 1, .count = 2});
  ASSERT_THAT(slots, SizeIs(3));
  const Segment last{.first_vu = 11, .vu_count = 3, .vu_total = 14, .index = 5, .count = 6, .datacenters = 2};
  EXPECT_EQ(slots[2], last);
  EXPECT_EQ(slots[0].first_vu, 7U);
  EXPECT_EQ(slots[0].index, 1U);
}

TEST(Slots, AtMostOnePerUser) {
  EXPECT_EQ(slots_for(8, 100), 8U);
  EXPECT_EQ(slots_for(8, 3), 3U);
  EXPECT_EQ(slots_for(8, 0), 1U);
  EXPECT_THAT(slots_of(4, 8, {.index = 1, .count = 2}), SizeIs(2));
}

TEST(Slots, FirstDatacentersGetTheRemainder) {
  const auto users = [](std::uint32_t index) { return vus_in(11, {index, 3}); };
  EXPECT_THAT((std::vector{users(0), users(1), users(2)}), ElementsAre(4, 4, 3));
  EXPECT_EQ(slots_of(11, 2, {.index = 2, .count = 3}).front().first_vu, 8U);
}

TEST(Slots, ADatacenterWithoutUsersHasNone) {
  EXPECT_THAT(slots_of(2, 4, {.index = 2, .count = 3}), IsEmpty());
  const auto slots = slots_of(2, 4, {.index = 1, .count = 3});
  ASSERT_THAT(slots, SizeIs(1));
  EXPECT_EQ(slots[0], (Segment{.first_vu = 1, .vu_count = 1, .vu_total = 2, .index = 1, .count = 2, .datacenters = 2}));
}

TEST(Shares, AreRunsOfSlots) {
  const auto slots = segments_of(10, 5);
  const auto shares = subdivide(slots, std::vector<std::uint32_t>{2, 3});
  ASSERT_THAT(shares, SizeIs(2));
  EXPECT_THAT(shares[0], ElementsAre(slots[0], slots[1]));
  EXPECT_THAT(shares[1], ElementsAre(slots[2], slots[3], slots[4]));
}

TEST(Shares, NumbersOfAShare) {
  const auto shares = subdivide(slots_of(8, 4, {.index = 1, .count = 2}), std::vector<std::uint32_t>{1, 3});
  const auto first = [](const NumberSequence& numbers) {
    return std::vector{numbers.nth(0), numbers.nth(1), numbers.nth(2), numbers.nth(3)};
  };
  EXPECT_THAT(first(numbers_of(shares[0])), ElementsAre(1, 9, 17, 25));
  EXPECT_THAT(first(numbers_of(shares[1])), ElementsAre(3, 5, 7, 11));
}

}  // namespace
}  // namespace hyperscale::plan
