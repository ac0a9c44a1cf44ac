#include "stream/policy/lease_table.h"

#include <set>

#include <gtest/gtest.h>

namespace hyperscale::stream {
namespace {

constexpr StreamNumber kStream(3);
constexpr MonoTime kStart = MonoTime::from_ns(1'000'000'000'000);

class LeaseTableTest : public testing::Test {
 protected:
  LeaseTable table{3s};
};

TEST_F(LeaseTableTest, OneProducerAndManyConsumers) {
  ASSERT_TRUE(table.grant(kStream, Role::kProducer, ClientId(10), Epoch(1), kStart));
  const auto second = table.grant(kStream, Role::kProducer, ClientId(11), Epoch(1), kStart);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
  for (std::uint64_t client = 20; client < 25; ++client)
    EXPECT_TRUE(table.grant(kStream, Role::kConsumer, ClientId(client), Epoch(1), kStart));
  EXPECT_TRUE(table.grant(StreamNumber(4), Role::kProducer, ClientId(10), Epoch(1), kStart)) << "of another stream";
  EXPECT_FALSE(table.grant(kStream, Role::kConsumer, ClientId(20), Epoch(1), kStart)) << "has one already";
}

TEST_F(LeaseTableTest, IdsAreNeverUsedAgain) {
  std::set<LeaseId> ids;
  for (int i = 0; i < 1000; ++i) {
    const auto lease = table.grant(kStream, Role::kProducer, ClientId(1), Epoch(1), kStart);
    ASSERT_TRUE(lease);
    EXPECT_TRUE(ids.insert(lease->id).second);
    ASSERT_TRUE(table.end(lease->id, ClientId(1)));
  }
}

TEST_F(LeaseTableTest, ALeaseExpiresWhenItsTimeHasPassedAndNotBefore) {
  const auto lease = table.grant(kStream, Role::kConsumer, ClientId(1), Epoch(1), kStart);
  EXPECT_TRUE(table.expire(kStart + 3s).empty());
  ASSERT_TRUE(table.keep_alive(lease->id, ClientId(1), Epoch(1), kStart + 3s));
  EXPECT_TRUE(table.expire(kStart + 6s).empty());
  const auto gone = table.expire(kStart + 6s + 1ns);
  ASSERT_EQ(gone.size(), 1U);
  EXPECT_EQ(gone[0].id, lease->id);
  const auto late = table.keep_alive(lease->id, ClientId(1), Epoch(1), kStart + 7s);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::kNotFound);
}

TEST_F(LeaseTableTest, NobodyElseCanRenewOrEndALease) {
  const auto lease = table.grant(kStream, Role::kConsumer, ClientId(1), Epoch(1), kStart);
  EXPECT_FALSE(table.keep_alive(lease->id, ClientId(2), Epoch(1), kStart));
  EXPECT_FALSE(table.end(lease->id, ClientId(2)));
  EXPECT_FALSE(table.hand_over(lease->id, ClientId(2), ClientId(3)));
  EXPECT_TRUE(table.end(lease->id, ClientId(1)));
}

// proves: SHM-SAFE-1
// proves part: SHM-DRV-3 (granted and reported; not that a tail reports what it maps)
TEST_F(LeaseTableTest, WhatAKeepaliveReportsIsWhatALeaseReferences) {
  const auto slow = table.grant(kStream, Role::kConsumer, ClientId(1), Epoch(2), kStart);
  const auto quick = table.grant(kStream, Role::kConsumer, ClientId(2), Epoch(2), kStart);
  EXPECT_EQ(table.lowest_referenced(kStream), Epoch(2));
  ASSERT_TRUE(table.keep_alive(quick->id, ClientId(2), Epoch(5), kStart));
  EXPECT_EQ(table.lowest_referenced(kStream), Epoch(2));
  ASSERT_TRUE(table.keep_alive(slow->id, ClientId(1), Epoch(4), kStart));
  EXPECT_EQ(table.lowest_referenced(kStream), Epoch(4));
  EXPECT_FALSE(table.keep_alive(slow->id, ClientId(1), Epoch(3), kStart)) << "what was given up may be gone";
  EXPECT_EQ(table.lowest_referenced(StreamNumber(9)), std::nullopt);
  ASSERT_TRUE(table.grant(StreamNumber(9), Role::kProducer, ClientId(1), Epoch(3), kStart));
  EXPECT_EQ(table.lowest_referenced(StreamNumber(9)), Epoch(3)) << "the lease of a producer, too";
}

TEST_F(LeaseTableTest, IsBounded) {
  for (std::size_t i = 0; i < kLeasesMax; ++i)
    ASSERT_TRUE(table.grant(kStream, Role::kConsumer, ClientId(i + 1), Epoch(1), kStart));
  const auto more = table.grant(kStream, Role::kConsumer, ClientId(kLeasesMax + 1), Epoch(1), kStart);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, ErrorCode::kBusy);
}

}  // namespace
}  // namespace hyperscale::stream
