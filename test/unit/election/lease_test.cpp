#include "election/lease.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::election {
namespace {

// Leader's clock as slow as allowed, follower's as fast as allowed.
RC_GTEST_PROP(Lease, APromiseOutlastsTheLeaseOnEveryPairOfClocks, ()) {
  const auto lease_ns = *rc::gen::inRange<std::int64_t>(1, 3'600'000'000'000);
  const double drift = kClockRateDriftMaxPercent / 100.0;
  const double lease_true = static_cast<double>(lease_ns) / (1 - drift);
  const double promise_true = static_cast<double>(promise_length(Duration(lease_ns)).count()) / (1 + drift);
  RC_ASSERT(promise_true >= lease_true);
  RC_ASSERT(promise_true <= lease_true * 1.001 + 1000);
}

TEST(LeaderLease, NeedsTheQuorumOnOneHeartbeat) {
  LeaderLease lease;
  const MonoTime start = MonoTime() + 10s;
  lease.start(5, start + 4s);
  EXPECT_EQ(lease.sent(start), 1U);
  EXPECT_EQ(lease.sent(start + 1s), 2U);
  EXPECT_TRUE(lease.acknowledged(1, 2));
  lease.renew(3, 4s);
  EXPECT_FALSE(lease.holds(start));
  EXPECT_TRUE(lease.acknowledged(2, 1));
  lease.renew(3, 4s);
  EXPECT_TRUE(lease.holds(start + 4s - 1ns));
  EXPECT_FALSE(lease.holds(start + 4s));
  EXPECT_TRUE(lease.acknowledged(2, 2));
  EXPECT_FALSE(lease.acknowledged(2, 2));
  EXPECT_FALSE(lease.acknowledged(2, 3));
  lease.renew(3, 4s);
  EXPECT_TRUE(lease.holds(start + 5s - 1ns));
  EXPECT_EQ(lease.deadline(), start + 5s);
}

TEST(LeaderLease, ForgetsHeartbeatsOfLongAgo) {
  LeaderLease lease;
  const MonoTime start = MonoTime() + 10s;
  lease.start(3, start + 4s);
  for (std::size_t i = 0; i <= kHeartbeatsKept; ++i) lease.sent(start + 1ms * static_cast<int>(i));
  EXPECT_TRUE(lease.acknowledged(1, 1));
  lease.renew(2, 4s);
  EXPECT_FALSE(lease.holds(start));
  EXPECT_TRUE(lease.acknowledged(1, 2));
  lease.renew(2, 4s);
  EXPECT_TRUE(lease.holds(start + 4s));
  EXPECT_FALSE(lease.holds(start + 4s + 1ms));
}

}  // namespace
}  // namespace hyperscale::election
