// Many producers and consumers at once. What is checked holds for every interleaving.
#include "concurrent/bounded_queue.h"
#include "test_waiters.h"

#include <algorithm>
#include <atomic>
#include <latch>
#include <thread>

#include <gtest/gtest.h>

namespace hyperscale::concurrent {
namespace {

constexpr int kProducers = 4;
constexpr int kConsumers = 4;
constexpr int kItemsPerProducer = 4'000;
constexpr std::size_t kCapacity = 64;

using Queue = BoundedQueue<int>;

// Pops until the queue is drained, sleeping on a waiter whenever it is empty.
std::vector<int> consume(Queue& queue) {
  std::vector<int> items;
  ThreadWaiter waiter;
  std::optional<int> item;
  for (;;) {
    switch (queue.pop_or_wait(item, waiter)) {
      case Pop::kItem:
        items.push_back(*item);
        break;
      case Pop::kWaiting:
        waiter.wait();
        break;
      case Pop::kDrained:
        return items;
    }
  }
}

struct Outcome {
  std::vector<std::vector<int>> by_consumer{kConsumers};
  std::atomic<std::uint64_t> accepted{0};
  std::atomic<std::uint64_t> refused{0};
};

// Every producer offers its items, again and again if `insist`; then the queue is closed and drained.
void run(Queue& queue, Outcome& outcome, bool insist) {
  std::latch start(kProducers + kConsumers);
  std::vector<std::thread> consumers, producers;
  for (int c = 0; c < kConsumers; ++c) {
    consumers.emplace_back([&, c] {
      start.arrive_and_wait();
      outcome.by_consumer[c] = consume(queue);
    });
  }
  for (int p = 0; p < kProducers; ++p) {
    producers.emplace_back([&, p] {
      start.arrive_and_wait();
      for (int i = 0; i < kItemsPerProducer; ++i) {
        PushResult result = queue.try_push(p * kItemsPerProducer + i);
        while (insist && result == PushResult::kFull) {
          std::this_thread::yield();
          result = queue.try_push(p * kItemsPerProducer + i);
        }
        ++(result == PushResult::kFull ? outcome.refused : outcome.accepted);
      }
    });
  }
  for (std::thread& thread : producers) thread.join();
  queue.close();
  for (std::thread& thread : consumers) thread.join();
}

std::vector<int> all_items(const Outcome& outcome) {
  std::vector<int> all;
  for (const auto& items : outcome.by_consumer) all.insert(all.end(), items.begin(), items.end());
  std::ranges::sort(all);
  return all;
}

// proves: NODE-SAFE-1
TEST(BoundedQueueStress, CloseThenDrainProcessesEveryItemExactlyOnce) {
  Queue queue(kCapacity, Overflow::kReject);
  Outcome outcome;
  run(queue, outcome, true);
  const std::vector<int> all = all_items(outcome);
  ASSERT_EQ(all.size(), std::size_t{kProducers} * kItemsPerProducer);
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], static_cast<int>(i));
  EXPECT_TRUE(queue.drained());
}

// proves: NODE-TEST-1
TEST(BoundedQueueStress, RejectingQueueLosesNoAcceptedItem) {
  Queue queue(kCapacity, Overflow::kReject);
  Outcome outcome;
  run(queue, outcome, false);
  const std::vector<int> all = all_items(outcome);
  EXPECT_EQ(all.size(), outcome.accepted);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
  EXPECT_EQ(queue.counts().rejected, outcome.refused);
  EXPECT_EQ(queue.counts().dropped, 0u);
}

// proves: NODE-TEST-1
TEST(BoundedQueueStress, DroppingQueueAcceptsAllAndCountsDrops) {
  Queue queue(kCapacity, Overflow::kDropOldest);
  Outcome outcome;
  run(queue, outcome, false);
  const std::vector<int> all = all_items(outcome);
  EXPECT_EQ(outcome.refused, 0u);
  EXPECT_EQ(all.size() + queue.counts().dropped, std::size_t{kProducers} * kItemsPerProducer);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

// Takes part in everything but keeps nothing: puts items back and withdraws its waits.
void dither(Queue& queue, const std::atomic<bool>& stop) {
  ThreadWaiter waiter;
  std::optional<int> item;
  for (; !stop; std::this_thread::yield()) {
    const Pop result = queue.pop_or_wait(item, waiter);
    if (result == Pop::kItem) {
      EXPECT_TRUE(queue.requeue(int{*item}));
    } else if (result == Pop::kWaiting && !queue.cancel_wait(waiter)) {
      waiter.wait();
      queue.pass_on();
    }
  }
}

TEST(BoundedQueueStress, ConsumersThatGiveUpLoseNeitherItemsNorWakeUps) {
  constexpr int kDitherers = 2;
  constexpr int kItems = 1'000;
  Queue queue(1, Overflow::kReject, kDitherers);
  std::atomic<bool> stop{false};
  std::vector<std::thread> ditherers;
  for (int i = 0; i < kDitherers; ++i) ditherers.emplace_back([&] { dither(queue, stop); });
  std::thread producer([&] {
    for (int i = 0; i < kItems; ++i) {
      while (queue.try_push(int{i}) == PushResult::kFull) std::this_thread::yield();
    }
  });
  // Only this thread keeps items: a lost wake-up would leave it asleep for ever.
  std::vector<int> items;
  ThreadWaiter waiter;
  std::optional<int> item;
  while (items.size() < kItems) {
    if (queue.pop_or_wait(item, waiter) == Pop::kItem) {
      items.push_back(*item);
    } else {
      waiter.wait();
    }
  }
  producer.join();
  stop = true;
  for (std::thread& thread : ditherers) thread.join();
  std::ranges::sort(items);
  for (int i = 0; i < kItems; ++i) ASSERT_EQ(items[i], i);
}

}  // namespace
}  // namespace hyperscale::concurrent
