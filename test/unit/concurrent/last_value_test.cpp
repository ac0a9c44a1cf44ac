#include "concurrent/last_value.h"

#include "test_waiters.h"

#include <latch>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::concurrent {
namespace {

// proves: NODE-SAFE-2
TEST(LastValue, StopSetBeforeWaitingIsStillSeen) {
  LastValue<bool> stop(false);
  const auto before = stop.get();
  stop.set(true);
  EXPECT_TRUE(stop.get().value) << "a level, not an edge";
  CountingWaiter waiter;
  EXPECT_TRUE(stop.wait_changed(before.version, waiter)) << "compared before sleeping";
  EXPECT_EQ(waiter.wakes, 0);
}

// proves: NODE-CH-1
TEST(LastValue, AWaiterSleepsUntilTheNextValueAndIsWokenOnce) {
  LastValue<int> level(7);
  CountingWaiter a, b;
  const auto seen = level.get();
  EXPECT_EQ(seen.value, 7);
  ASSERT_FALSE(level.wait_changed(seen.version, a));
  ASSERT_FALSE(level.wait_changed(seen.version, b));
  EXPECT_TRUE(level.cancel_wait(b));
  level.set(8);
  level.set(9);
  EXPECT_EQ(a.wakes, 1);
  EXPECT_EQ(b.wakes, 0);
  EXPECT_FALSE(level.cancel_wait(a));
  EXPECT_EQ(level.get().value, 9);
  EXPECT_EQ(level.get().version, seen.version + 2);
}

TEST(LastValue, SettingAnEqualValueIsAChange) {
  LastValue<int> level(1);
  level.set(1);
  EXPECT_EQ(level.get().version, 1u);
}

// proves: NODE-SAFE-2
TEST(LastValue, UnderLoadEveryWatcherSeesTheLastValue) {
  constexpr int kWatchers = 4;
  constexpr int kLast = 20'000;
  LastValue<int> level(0);
  std::latch start(kWatchers + 1);
  std::vector<std::thread> watchers;
  for (int i = 0; i < kWatchers; ++i) {
    watchers.emplace_back([&] {
      ThreadWaiter waiter;
      int previous = -1;
      start.arrive_and_wait();
      for (;;) {
        const auto seen = level.get();
        ASSERT_GT(seen.value, previous) << "no step back, no empty wake-up";
        previous = seen.value;
        if (seen.value == kLast) return;
        if (!level.wait_changed(seen.version, waiter)) waiter.wait();
      }
    });
  }
  start.arrive_and_wait();
  for (int i = 1; i <= kLast; ++i) level.set(i);
  for (std::thread& thread : watchers) thread.join();
}

}  // namespace
}  // namespace hyperscale::concurrent
