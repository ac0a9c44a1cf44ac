#include "membership/versioned_state.h"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::membership {
namespace {

using Versions = VersionedState<std::string>;

constexpr MonoTime at(Duration since) {
  return MonoTime::from_ns(0) + since;
}

// proves: STATE-1
TEST(VersionedState, IsStaleUpToTheTrackedVersionAndNotBeyond) {
  Versions versions;
  EXPECT_FALSE(versions.is_stale("a", 0)) << "never seen";
  versions.update("a", 5, at(1s));
  EXPECT_TRUE(versions.is_stale("a", 4));
  EXPECT_TRUE(versions.is_stale("a", 5));
  EXPECT_FALSE(versions.is_stale("a", 6));
  EXPECT_FALSE(versions.is_stale("b", 1)) << "another entity";
}

// proves: STATE-2, STATE-4
TEST(VersionedState, AnUpdateOnlyRaisesAndRecordsItsTime) {
  Versions versions;
  versions.update("a", 5, at(1s));
  versions.update("a", 3, at(100s));
  versions.update("a", 5, at(100s));
  EXPECT_EQ(versions.version("a"), 5U);
  versions.update("b", 1, at(2s));
  versions.update("b", 2, at(50s));
  EXPECT_EQ(versions.cleanup(10s, at(55s)), 1U) << "b was raised at 50, a last at 1";
  EXPECT_EQ(versions.version("a"), std::nullopt);
  EXPECT_EQ(versions.version("b"), 2U);
}

// proves: STATE-3
TEST(VersionedState, CheckAndUpdateAcceptsEachVersionOnce) {
  Versions versions;
  EXPECT_TRUE(versions.check_and_update("a", 5, at(1s)));
  EXPECT_FALSE(versions.check_and_update("a", 5, at(1s)));
  EXPECT_FALSE(versions.check_and_update("a", 4, at(1s)));
  EXPECT_TRUE(versions.check_and_update("a", 6, at(1s)));
}

// proves: STATE-4
TEST(VersionedState, CleanupDropsWhatWasNotUpdatedForLonger) {
  Versions versions;
  versions.update("a", 1, at(0s));
  versions.update("b", 1, at(1s));
  EXPECT_EQ(versions.cleanup(10s, at(10s)), 0U) << "ten seconds are not longer than ten seconds";
  EXPECT_EQ(versions.cleanup(10s, at(10s + 1ns)), 1U);
  EXPECT_FALSE(versions.is_stale("a", 1));
  EXPECT_TRUE(versions.is_stale("b", 1));
}

// proves: STATE-2, STATE-4
// proves part: SWIM-EMBED-3 (a manager drops those of a worker; not a worker or gate those of a manager)
// proves part: STATE-5 (what it tells is dropped; that its sender was heard from still counts)
TEST(VersionedState, AStaleVersionHasNoSideEffect) {
  Versions versions;
  versions.update("a", 5, at(1s));
  EXPECT_FALSE(versions.check_and_update("a", 2, at(100s)));
  EXPECT_EQ(versions.version("a"), 5U);
  EXPECT_EQ(versions.cleanup(10s, at(100s)), 1U) << "a stale message keeps nothing alive";
}

TEST(VersionedState, IsBoundedAndForgetsTheOldestFirst) {
  Versions versions(2);
  versions.update("a", 1, at(1s));
  versions.update("b", 1, at(2s));
  versions.update("a", 2, at(3s));
  versions.update("c", 1, at(4s));
  EXPECT_EQ(versions.size(), 2U);
  EXPECT_EQ(versions.version("b"), std::nullopt);
  EXPECT_EQ(versions.forgotten(), 1U);
  versions.forget("a");
  EXPECT_EQ(versions.size(), 1U);
}

// proves: STATE-3
RC_GTEST_PROP(VersionedState, AcceptsExactlyTheRecordsOfARunningMaximum, ()) {
  VersionedState<int> versions;
  std::map<int, std::uint64_t> highest;
  const auto updates = *rc::gen::container<std::vector<std::pair<int, std::uint64_t>>>(
      rc::gen::pair(rc::gen::inRange(0, 4), rc::gen::inRange<std::uint64_t>(0, 20)));
  for (const auto& [id, version] : updates) {
    const bool news = !highest.contains(id) || version > highest[id];
    RC_ASSERT(versions.check_and_update(id, version, at(1s)) == news);
    if (news) highest[id] = version;
  }
}

}  // namespace
}  // namespace hyperscale::membership
