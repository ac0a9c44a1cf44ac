#include "runtime/facet/facet.h"

#include <atomic>
#include <deque>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

constexpr MonoTime kStart = MonoTime::from_ns(1'000'000'000);

class FacetTest : public testing::Test {
 protected:
  double busy() const { return metrics_.value(Counter::kFacetBusy, "f"); }
  double inflight() const { return metrics_.value(Gauge::kSemaphoreInflight, "f"); }
  double deadline_timeouts() const { return metrics_.value(Counter::kFacetDeadlineTimeouts, "f"); }

  Metrics metrics_;
};

// proves: NODE-FACET-4
// proves part: NODE-FACET-2 (busy at once and counted, several units of a facet; not: several asked of a node)
TEST_F(FacetTest, RefusesBusyWhenPermitsAreGone) {
  Facet facet("f", 2, {}, metrics_);
  auto first = facet.try_acquire({}, kStart);
  auto second = facet.try_acquire({}, kStart);
  ASSERT_TRUE(first && second);
  const auto third = facet.try_acquire({}, kStart);
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, ErrorCode::kBusy);
  EXPECT_EQ(third.error().context, "facet f has 2 of 2 permits in use");
  EXPECT_EQ(busy(), 1);
  EXPECT_EQ(facet.status().busy_total, 1U);
  first->release();
  EXPECT_TRUE(facet.try_acquire({}, kStart));
}

// proves part: NODE-FACET-2 (busy at once and counted, several units of a facet; not: several asked of a node)
TEST_F(FacetTest, TakesSeveralUnitsOrNone) {
  Facet facet("f", 5, {}, metrics_);
  const auto wide = facet.try_acquire({.units = 3}, kStart);
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->units(), 3U);
  EXPECT_FALSE(facet.try_acquire({.units = 3}, kStart));
  EXPECT_EQ(facet.status().inflight, 3U);
  EXPECT_TRUE(facet.try_acquire({.units = 2}, kStart));
}

TEST_F(FacetTest, RequestWiderThanTheCapTakesTheWholeCap) {
  Facet facet("f", 4, {}, metrics_);
  auto all = facet.try_acquire({.units = 1000}, kStart);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->units(), 4U);
  EXPECT_FALSE(facet.try_acquire({}, kStart));
  all->release();
  const auto one = facet.try_acquire({.units = 0}, kStart);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->units(), 1U);
  EXPECT_FALSE(facet.try_acquire({.units = 1000}, kStart)) << "the whole cap is not free";
}

TEST_F(FacetTest, CapOfZeroRefusesEverything) {
  Facet facet("f", 0, {}, metrics_);
  EXPECT_EQ(facet.try_acquire({}, kStart).error().code, ErrorCode::kBusy);
}

// proves: NODE-FACET-4
TEST_F(FacetTest, GaugeAndCountersFollow) {
  Facet facet("f", 8, {}, metrics_);
  EXPECT_EQ(inflight(), 0);
  {
    const auto permit = facet.try_acquire({.units = 5}, kStart);
    EXPECT_EQ(inflight(), 5);
    EXPECT_FALSE(facet.try_acquire({.units = 5}, kStart));
    EXPECT_EQ(busy(), 1);
  }
  EXPECT_EQ(inflight(), 0);
  facet.on_deadline_missed();
  EXPECT_EQ(deadline_timeouts(), 1);
  EXPECT_EQ(facet.status().deadline_timeouts_total, 1U);
  EXPECT_NE(metrics_.expose().find("semaphore_inflight{facet=\"f\"} 0"), std::string::npos);
}

TEST_F(FacetTest, PermitReturnsItsUnitsExactlyOnce) {
  Facet facet("f", 4, {}, metrics_);
  auto held = facet.try_acquire({.units = 2}, kStart);
  ASSERT_TRUE(held);
  FacetPermit moved = std::move(*held);
  EXPECT_FALSE(held->held());
  EXPECT_EQ(facet.status().inflight, 2U);
  moved.release();
  moved.release();
  EXPECT_FALSE(moved.held());
  EXPECT_EQ(moved.units(), 0U);
  EXPECT_EQ(facet.status().inflight, 0U);

  auto other = facet.try_acquire({.units = 3}, kStart);
  ASSERT_TRUE(other);
  moved = std::move(*other);
  EXPECT_EQ(facet.status().inflight, 3U);
  moved = FacetPermit();
  EXPECT_EQ(facet.status().inflight, 0U) << "an assignment releases what was held";
}

// proves: NODE-FACET-5
TEST_F(FacetTest, ShrinkingRefusesUntilEnoughPermitsReturn) {
  Facet facet("f", 4, {}, metrics_);
  std::vector<FacetPermit> held;
  for (int i = 0; i < 4; ++i) held.push_back(std::move(*facet.try_acquire({}, kStart)));
  facet.set_cap(2);
  EXPECT_EQ(facet.status().inflight, 4U);
  EXPECT_FALSE(held.front().dropped());
  held.pop_back();
  EXPECT_FALSE(facet.try_acquire({}, kStart));
  held.pop_back();
  EXPECT_FALSE(facet.try_acquire({}, kStart));
  held.pop_back();
  EXPECT_TRUE(facet.try_acquire({}, kStart));
  facet.set_cap(3);
  EXPECT_TRUE(facet.try_acquire({.units = 2}, kStart));
}

TEST_F(FacetTest, PermitMayOutliveItsFacet) {
  FacetPermit permit;
  {
    Metrics short_lived;
    Facet facet("f", 1, {}, short_lived);
    permit = std::move(*facet.try_acquire({}, kStart));
  }
  permit.release();
  EXPECT_FALSE(permit.held());
}

// proves: NODE-FACET-4
TEST_F(FacetTest, DropsOverdueFanOutsOldestFirst) {
  Facet feed("f", 4, {.drop_overdue = true}, metrics_);
  std::vector<int> dropped;
  std::vector<FacetPermit> held;
  for (int i = 0; i < 4; ++i) {
    held.push_back(std::move(
        *feed.try_acquire({.deadline = kStart + 10ms, .on_dropped = [&dropped, i] { dropped.push_back(i); }}, kStart)));
  }
  const auto admitted = feed.try_acquire({.units = 2, .deadline = kStart + 1s}, kStart + 10ms);
  ASSERT_TRUE(admitted);
  EXPECT_EQ(dropped, (std::vector<int>{0, 1}));
  EXPECT_TRUE(held[0].dropped() && held[1].dropped());
  EXPECT_FALSE(held[2].dropped() || held[3].dropped());
  EXPECT_EQ(inflight(), 4);
  EXPECT_EQ(deadline_timeouts(), 2);
  EXPECT_EQ(busy(), 0);
  held.clear();
  EXPECT_EQ(inflight(), 2) << "units of a dropped fan-out are not returned twice";
}

TEST_F(FacetTest, FeedNeverDropsWorkThatIsInTime) {
  Facet feed("f", 2, {.drop_overdue = true}, metrics_);
  const auto first = feed.try_acquire({.deadline = kStart + 20ms}, kStart);
  const auto second = feed.try_acquire({.deadline = kStart + 10ms}, kStart);
  EXPECT_FALSE(feed.try_acquire({}, kStart + 9ms));
  EXPECT_FALSE(first->dropped() || second->dropped());
  EXPECT_TRUE(feed.try_acquire({}, kStart + 15ms)) << "the younger one is overdue";
  EXPECT_FALSE(first->dropped());
  EXPECT_TRUE(second->dropped());
}

TEST_F(FacetTest, FeedDropsNothingWhileThereIsRoom) {
  Facet feed("f", 2, {.drop_overdue = true}, metrics_);
  const auto late = feed.try_acquire({.deadline = kStart}, kStart);
  const auto next = feed.try_acquire({}, kStart + 1s);
  EXPECT_TRUE(next);
  EXPECT_FALSE(late->dropped());
}

TEST_F(FacetTest, DropCallbackMayUseTheFacet) {
  Facet feed("f", 1, {.drop_overdue = true}, metrics_);
  std::uint32_t seen = 0;
  const auto late =
      feed.try_acquire({.deadline = kStart, .on_dropped = [&] { seen = feed.status().inflight; }}, kStart);
  ASSERT_TRUE(feed.try_acquire({}, kStart));
  EXPECT_EQ(seen, 1U) << "called without the lock, after the new grant";
}

// proves: NODE-FACET-4
TEST_F(FacetTest, GraphChecksTheDegreeBeforeAnyPermit) {
  Facet graph("f", 2, {.cost = PermitCost::kOne, .units_max = 256}, metrics_);
  const auto too_wide = graph.try_acquire({.units = 257}, kStart);
  ASSERT_FALSE(too_wide);
  EXPECT_EQ(too_wide.error().code, ErrorCode::kTooLarge);
  EXPECT_EQ(busy(), 0);
  const auto first = graph.try_acquire({.units = 256}, kStart);
  const auto second = graph.try_acquire({.units = 256}, kStart);
  ASSERT_TRUE(first && second) << "an expansion takes one permit, whatever its degree";
  EXPECT_EQ(graph.try_acquire({.units = 257}, kStart).error().code, ErrorCode::kTooLarge) << "also when it is full";
  EXPECT_EQ(graph.try_acquire({.units = 1}, kStart).error().code, ErrorCode::kBusy);
}

// proves: NODE-FACET-4
TEST_F(FacetTest, SearchLimitsTheRateOfEachTenantAlone) {
  Facet search("f", 1000, {.tenant_rate = TenantRate{.per_s = 100, .burst = 200}}, metrics_);
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(search.try_acquire({.tenant = "a"}, kStart)) << i;
  const auto refused = search.try_acquire({.tenant = "a"}, kStart);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBusy);
  EXPECT_EQ(busy(), 1);
  EXPECT_TRUE(search.try_acquire({.tenant = "b"}, kStart));
  EXPECT_TRUE(search.try_acquire({.tenant = "a"}, kStart + 10ms)) << "one token came back";
  EXPECT_FALSE(search.try_acquire({.tenant = "a"}, kStart + 10ms));
}

TEST_F(FacetTest, RequestThatFindsNoPermitCostsNoToken) {
  Facet search("f", 1, {.tenant_rate = TenantRate{.per_s = 0, .burst = 2}}, metrics_);
  auto held = search.try_acquire({.tenant = "a"}, kStart);
  ASSERT_TRUE(held);
  for (int i = 0; i < 10; ++i) ASSERT_FALSE(search.try_acquire({.tenant = "a"}, kStart));
  held->release();
  EXPECT_TRUE(search.try_acquire({.tenant = "a"}, kStart)) << "the second token is still there";
  EXPECT_FALSE(search.try_acquire({.tenant = "a"}, kStart));
}

TEST_F(FacetTest, UnchangedRulesKeepTheBuckets) {
  const FacetRules rules{.tenant_rate = TenantRate{.per_s = 0, .burst = 1}};
  Facet search("f", 9, rules, metrics_);
  ASSERT_TRUE(search.try_acquire({.tenant = "a"}, kStart));
  search.set_rules(rules);
  EXPECT_FALSE(search.try_acquire({.tenant = "a"}, kStart)) << "a reload is no way around the limit";
  search.set_rules({.tenant_rate = TenantRate{.per_s = 0, .burst = 2}});
  EXPECT_TRUE(search.try_acquire({.tenant = "a"}, kStart));
}

// proves: NODE-FACET-4
TEST_F(FacetTest, MailboxCapsEachTenant) {
  Facet mailbox("f", 100, {.tenant_inflight_max = 2}, metrics_);
  auto first = mailbox.try_acquire({.tenant = "a", .units = 10}, kStart);
  const auto second = mailbox.try_acquire({.tenant = "a"}, kStart);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(mailbox.try_acquire({.tenant = "a"}, kStart).error().code, ErrorCode::kBusy);
  EXPECT_EQ(busy(), 1);
  EXPECT_TRUE(mailbox.try_acquire({.tenant = "b"}, kStart));
  first->release();
  EXPECT_TRUE(mailbox.try_acquire({.tenant = "a"}, kStart));
}

TEST_F(FacetTest, GrantsOfOlderRulesAreStillReturnedOnce) {
  Facet facet("f", 10, {.drop_overdue = true, .tenant_inflight_max = 1}, metrics_);
  auto old = facet.try_acquire({.tenant = "a"}, kStart);
  ASSERT_TRUE(old);
  facet.set_rules({});
  auto fresh = facet.try_acquire({.tenant = "a"}, kStart);
  ASSERT_TRUE(fresh);
  facet.set_rules({.tenant_inflight_max = 1});
  EXPECT_FALSE(facet.try_acquire({.tenant = "a"}, kStart));
  old->release();
  fresh->release();
  EXPECT_EQ(facet.status().inflight, 0U);
  EXPECT_TRUE(facet.try_acquire({.tenant = "a"}, kStart));
}

// Counts what is really under way, apart from the facet's own books.
struct Witness {
  std::atomic<std::uint32_t> now = 0;
  std::atomic<std::uint32_t> highest = 0;

  void enter(std::uint32_t units) {
    const std::uint32_t seen = now.fetch_add(units) + units;
    std::uint32_t known = highest;
    while (seen > known && !highest.compare_exchange_weak(known, seen)) {
    }
  }
  void leave(std::uint32_t units) { now -= units; }
};

// proves part: NODE-FACET-3 (each cap holds, by units too; not: by several units asked of a node)
TEST_F(FacetTest, ManyThreadsNeverExceedTheCap) {
  constexpr std::uint32_t kCap = 6;
  constexpr int kThreads = 8;
  constexpr int kRounds = 4000;
  Facet facet("f", kCap, {}, metrics_);
  Witness witness;
  std::atomic<std::uint64_t> granted = 0;
  std::atomic<std::uint64_t> refused = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::deque<std::pair<std::uint32_t, FacetPermit>> held;  // what was asked for, not what the permit says
      for (int round = 0; round < kRounds; ++round) {
        const std::uint32_t units = 1U + static_cast<std::uint32_t>((round + t) % 3);
        auto permit = facet.try_acquire({.units = units}, kStart);
        permit ? ++granted : ++refused;
        if (permit) {
          witness.enter(units);
          held.emplace_back(units, std::move(*permit));
        }
        if (!held.empty() && (!permit || held.size() > 2)) {
          witness.leave(held.front().first);
          held.pop_front();
        }
      }
      for (const auto& [units, permit] : held) witness.leave(units);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_LE(witness.highest, kCap);
  EXPECT_GT(granted, 0U);
  EXPECT_EQ(granted + refused, static_cast<std::uint64_t>(kThreads) * kRounds);
  EXPECT_EQ(facet.status().inflight, 0U);
  EXPECT_EQ(inflight(), 0);
  EXPECT_EQ(busy(), static_cast<double>(refused));
}

TEST_F(FacetTest, ManyThreadsWithDropsReturnEverything) {
  Facet facet("f", 4, {.drop_overdue = true, .tenant_inflight_max = 3}, metrics_);
  std::atomic<std::uint64_t> callbacks = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      const std::string tenant(1, static_cast<char>('a' + t % 3));
      std::deque<FacetPermit> held;
      for (int round = 0; round < 3000; ++round) {
        const MonoTime now = kStart + std::chrono::microseconds(round);
        auto permit = facet.try_acquire(
            {.tenant = tenant, .units = 2, .deadline = now + 3us, .on_dropped = [&callbacks] { ++callbacks; }}, now);
        if (permit) held.push_back(std::move(*permit));
        if (held.size() > 3) held.pop_front();
        if (round % 100 == t) facet.set_cap(2 + static_cast<std::uint32_t>(round / 100 % 5));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(facet.status().inflight, 0U);
  EXPECT_EQ(callbacks, facet.status().deadline_timeouts_total);
  EXPECT_GT(callbacks, 0U);
}

}  // namespace
}  // namespace hyperscale::runtime
