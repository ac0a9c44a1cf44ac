#include "concurrent/ranked_mutex.h"

#include <concepts>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::concurrent {
namespace {

// proves part: NODE-LOCK-3 (the order of the three ranks; not sharding, nor that atomics are preferred)
TEST(RankedMutex, LocksInRisingOrderNestAndAreCounted) {
  RankedMutex meta(LockRank::kStateMeta), table(LockRank::kRoutingTable), counters(LockRank::kCounters);
  EXPECT_EQ(held_locks(), 0u);
  {
    RankedLock outer(meta);
    {
      RankedLock middle(table);
      RankedLock inner(counters);
      EXPECT_EQ(held_locks(), 3u);
    }
    EXPECT_EQ(held_locks(), 1u);
    RankedLock again(counters);
    EXPECT_EQ(held_locks(), 2u);
  }
  EXPECT_EQ(held_locks(), 0u);
  assert_no_lock_held("after all were released");
}

TEST(RankedMutex, TheOrderIsKeptPerThread) {
  RankedMutex meta(LockRank::kStateMeta), counters(LockRank::kCounters);
  RankedLock lock(counters);
  std::thread other([&] {
    EXPECT_EQ(held_locks(), 0u);
    RankedLock low(meta);
    EXPECT_EQ(held_locks(), 1u);
  });
  other.join();
}

TEST(RankedMutex, ExcludesOtherThreads) {
  RankedMutex mutex(LockRank::kCounters);
  int count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10'000; ++i) {
        RankedLock lock(mutex);
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 40'000);
}

template <typename T>
concept HeapAllocatable = requires(RankedMutex& mutex) { new T(mutex); };

// proves part: NODE-SAFE-4 (storing, order and two suspension points; not every suspension point)
TEST(RankedLock, CannotBeCopiedMovedOrAllocated) {
  static_assert(!std::copyable<RankedLock> && !std::movable<RankedLock>);
  static_assert(!std::is_move_constructible_v<RankedLock> && !std::is_move_assignable_v<RankedLock>);
  static_assert(!HeapAllocatable<RankedLock>);
}

void lock_both(LockRank first, LockRank second) {
  RankedMutex a(first), b(second);
  RankedLock outer(a);
  RankedLock inner(b);
}

// proves part: NODE-LOCK-3 (the order of the three ranks; not sharding, nor that atomics are preferred)
// proves part: NODE-SAFE-4 (storing, order and two suspension points; not every suspension point)
TEST(RankedMutexDeathTest, FallingOrderIsReported) {
  EXPECT_DEATH(lock_both(LockRank::kRoutingTable, LockRank::kStateMeta),
               "lock order violated: state_meta .rank 1. requested while routing_table .rank 2. is held");
  EXPECT_DEATH(lock_both(LockRank::kCounters, LockRank::kRoutingTable), "lock order violated");
  EXPECT_DEATH(lock_both(LockRank::kCounters, LockRank::kStateMeta), "lock order violated");
}

// proves part: NODE-LOCK-2 (suspension and order; not locks that are held for long)
TEST(RankedMutexDeathTest, NestingLocksThatHaveNoOrderIsReported) {
  EXPECT_DEATH(lock_both(LockRank::kRoutingTable, LockRank::kRoutingTable), "lock order violated");
}

void relock() {
  RankedMutex mutex(LockRank::kCounters);
  RankedLock outer(mutex);
  RankedLock inner(mutex);
}

TEST(RankedMutexDeathTest, RelockingIsReportedInsteadOfHanging) {
  EXPECT_DEATH(relock(), "lock order violated: counters");
}

void suspend_with_a_lock() {
  RankedMutex mutex(LockRank::kRoutingTable);
  RankedLock lock(mutex);
  assert_no_lock_held("Queue::pop");
}

// proves part: NODE-TEST-3 (waits for events and for the stop, with a ranked lock; not sockets and timers)
// proves part: NODE-LOCK-4 (waits for events and for the stop, with a ranked lock; not sockets and timers)
// proves part: NODE-SAFE-4 (storing, order and two suspension points; not every suspension point)
// proves part: NODE-LOCK-2 (suspension and order; not locks that are held for long)
TEST(RankedMutexDeathTest, ALockHeldAtASuspensionPointIsReported) {
  EXPECT_DEATH(suspend_with_a_lock(), "Queue::pop suspends while this thread holds 1 lock.*routing_table");
}

}  // namespace
}  // namespace hyperscale::concurrent
