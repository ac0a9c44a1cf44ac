#include "concurrent/bounded_queue.h"

#include "test_waiters.h"

#include <memory>

#include <gtest/gtest.h>

namespace hyperscale::concurrent {
namespace {

constexpr std::size_t kWorkCapacity = 512;
constexpr std::size_t kConfigCapacity = 64;

// proves: NODE-CH-2
// proves part: NODE-CH-6 (work rejects, telemetry drops its oldest; the log drops its oldest lines too)
TEST(BoundedQueue, FullRejectingQueueRefusesNewItems) {
  BoundedQueue<int> queue(kWorkCapacity, Overflow::kReject);
  for (int i = 0; i < static_cast<int>(kWorkCapacity); ++i) ASSERT_EQ(queue.try_push(int{i}), PushResult::kPushed);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(queue.try_push(-1), PushResult::kFull);
  EXPECT_EQ(queue.size(), kWorkCapacity);
  EXPECT_EQ(queue.counts().rejected, 100u);
  EXPECT_EQ(queue.counts().dropped, 0u);
  for (int i = 0; i < static_cast<int>(kWorkCapacity); ++i) ASSERT_EQ(queue.try_pop(), i);
  EXPECT_EQ(queue.try_pop(), std::nullopt);
}

// proves: NODE-CH-2
TEST(BoundedQueue, ARefusedItemIsUntouched) {
  BoundedQueue<std::unique_ptr<int>> queue(1, Overflow::kReject);
  queue.try_push(std::make_unique<int>(1));
  auto item = std::make_unique<int>(2);
  EXPECT_EQ(queue.try_push(std::move(item)), PushResult::kFull);
  ASSERT_NE(item, nullptr);
  queue.close();
  EXPECT_EQ(queue.try_push(std::move(item)), PushResult::kClosed);
  ASSERT_NE(item, nullptr);
  EXPECT_FALSE(queue.requeue(std::move(item)));
  ASSERT_NE(item, nullptr);
}

TEST(BoundedQueue, DroppingQueueKeepsNewestAndCountsDrops) {
  BoundedQueue<int> queue(4, Overflow::kDropOldest);
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(queue.try_push(int{i}), i < 4 ? PushResult::kPushed : PushResult::kReplacedOldest);
  }
  EXPECT_EQ(queue.counts().dropped, 6u);
  for (int i = 6; i < 10; ++i) EXPECT_EQ(queue.try_pop(), i);
}

// proves: NODE-CH-1
TEST(BoundedQueue, ABurstCoalescesToTheLastItem) {
  BoundedQueue<int> queue(kConfigCapacity, Overflow::kCoalesce);
  for (int i = 1; i <= 100; ++i) queue.try_push(int{i});
  EXPECT_LE(queue.size(), kConfigCapacity);
  EXPECT_EQ(queue.try_pop(), 100);
  EXPECT_EQ(queue.counts().coalesced, 99u);
  EXPECT_EQ(queue.try_pop(), std::nullopt);
}

TEST(BoundedQueue, SpacedItemsOfACoalescingQueueAllArrive) {
  BoundedQueue<int> queue(kConfigCapacity, Overflow::kCoalesce);
  for (int i = 0; i < 100; ++i) {
    queue.try_push(int{i});
    ASSERT_EQ(queue.try_pop(), i);
  }
  EXPECT_EQ(queue.counts().coalesced, 0u);
}

// proves: NODE-SAFE-1
TEST(BoundedQueue, CloseRefusesPushesAndKeepsQueuedItems) {
  BoundedQueue<int> queue(4, Overflow::kReject);
  queue.try_push(1);
  queue.try_push(2);
  queue.close();
  EXPECT_TRUE(queue.closed());
  EXPECT_FALSE(queue.drained());
  EXPECT_EQ(queue.try_push(3), PushResult::kClosed);
  CountingWaiter waiter;
  std::optional<int> item;
  EXPECT_EQ(queue.pop_or_wait(item, waiter), Pop::kItem);
  EXPECT_EQ(item, 1);
  EXPECT_EQ(queue.pop_or_wait(item, waiter), Pop::kItem);
  EXPECT_EQ(item, 2);
  EXPECT_EQ(queue.pop_or_wait(item, waiter), Pop::kDrained);
  EXPECT_EQ(item, std::nullopt);
  EXPECT_TRUE(queue.drained());
  EXPECT_EQ(waiter.wakes, 0);
}

TEST(BoundedQueue, APushWakesOneWaiterAndCloseWakesAll) {
  BoundedQueue<int> queue(4, Overflow::kReject);
  CountingWaiter a, b, c;
  std::optional<int> item;
  for (CountingWaiter* waiter : {&a, &b, &c}) ASSERT_EQ(queue.pop_or_wait(item, *waiter), Pop::kWaiting);
  queue.try_push(1);
  EXPECT_EQ(a.wakes, 1);
  EXPECT_EQ(b.wakes + c.wakes, 0);
  queue.close();
  queue.close();
  EXPECT_EQ(a.wakes, 1);
  EXPECT_EQ(b.wakes, 1);
  EXPECT_EQ(c.wakes, 1);
}

TEST(BoundedQueue, ACancelledWaiterIsNotWoken) {
  BoundedQueue<int> queue(4, Overflow::kReject);
  CountingWaiter a, b;
  std::optional<int> item;
  queue.pop_or_wait(item, a);
  queue.pop_or_wait(item, b);
  EXPECT_TRUE(queue.cancel_wait(a));
  queue.try_push(1);
  EXPECT_EQ(a.wakes, 0);
  EXPECT_EQ(b.wakes, 1);
  EXPECT_FALSE(queue.cancel_wait(b));
}

TEST(BoundedQueue, AWokenConsumerThatGivesUpPassesItsWakeUpOn) {
  BoundedQueue<int> queue(4, Overflow::kReject);
  CountingWaiter a, b;
  std::optional<int> item;
  queue.pop_or_wait(item, a);
  queue.pop_or_wait(item, b);
  queue.try_push(1);
  ASSERT_FALSE(queue.cancel_wait(a));
  queue.pass_on();
  EXPECT_EQ(b.wakes, 1);
}

TEST(BoundedQueue, NothingIsPassedOnWhenTheItemIsGone) {
  BoundedQueue<int> queue(4, Overflow::kReject);
  CountingWaiter a, b;
  std::optional<int> item;
  queue.pop_or_wait(item, a);
  queue.pop_or_wait(item, b);
  queue.try_push(1);
  queue.try_pop();
  queue.pass_on();
  EXPECT_EQ(b.wakes, 0);
  EXPECT_TRUE(queue.cancel_wait(b));
}

TEST(BoundedQueue, ARequeuedItemComesFirstEvenWhenFullAndClosed) {
  BoundedQueue<int> queue(2, Overflow::kReject, 1);
  queue.try_push(1);
  queue.try_push(2);
  const std::optional<int> held = queue.try_pop();
  queue.try_push(3);
  queue.close();
  EXPECT_TRUE(queue.requeue(int{*held}));
  EXPECT_FALSE(queue.requeue(9)) << "the slack is one";
  EXPECT_EQ(queue.size(), 3u);
  for (int expected : {1, 2, 3}) EXPECT_EQ(queue.try_pop(), expected);
  EXPECT_EQ(queue.counts(), (QueueCounts{.pushed = 3, .popped = 4, .requeued = 1}));
}

TEST(BoundedQueue, SlackIsNoCapacityForSenders) {
  BoundedQueue<int> queue(1, Overflow::kReject, 3);
  EXPECT_EQ(queue.try_push(1), PushResult::kPushed);
  EXPECT_EQ(queue.try_push(2), PushResult::kFull);
}

TEST(BoundedQueue, ARequeueWakesAWaiter) {
  BoundedQueue<int> queue(1, Overflow::kReject, 1);
  CountingWaiter waiter;
  std::optional<int> item;
  queue.pop_or_wait(item, waiter);
  queue.requeue(7);
  EXPECT_EQ(waiter.wakes, 1);
  EXPECT_EQ(queue.try_pop(), 7);
}

// An item whose destructor looks at its queue: it would deadlock if it ran under the queue's lock.
class Curious {
 public:
  explicit Curious(BoundedQueue<Curious>& queue) : queue_(&queue) {}
  Curious(Curious&& other) noexcept : queue_(std::exchange(other.queue_, nullptr)) {}
  ~Curious() {
    if (queue_ != nullptr) queue_->size();
  }

 private:
  BoundedQueue<Curious>* queue_;
};

TEST(BoundedQueue, DiscardedItemsAreDestroyedOutsideTheLock) {
  for (Overflow overflow : {Overflow::kDropOldest, Overflow::kCoalesce}) {
    BoundedQueue<Curious> queue(2, overflow);
    for (int i = 0; i < 8; ++i) queue.try_push(Curious(queue));
    while (queue.try_pop()) {
    }
  }
}

// A waiter that uses its channel from wake(): it would deadlock if it were woken under the lock.
class PoppingWaiter final : public Waiter {
 public:
  explicit PoppingWaiter(BoundedQueue<int>& queue) : queue_(queue) {}
  void wake() noexcept override { item = queue_.try_pop(); }
  std::optional<int> item;

 private:
  BoundedQueue<int>& queue_;
};

TEST(BoundedQueue, WaitersAreWokenOutsideTheLock) {
  BoundedQueue<int> queue(2, Overflow::kReject);
  PoppingWaiter waiter(queue);
  std::optional<int> item;
  queue.pop_or_wait(item, waiter);
  queue.try_push(5);
  EXPECT_EQ(waiter.item, 5);
}

}  // namespace
}  // namespace hyperscale::concurrent
