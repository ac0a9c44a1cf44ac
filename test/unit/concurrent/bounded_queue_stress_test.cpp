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
constexpr int kItemsPerProducer = 10'000;
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
TEST(BoundedQueueStress, UnderLoadARejectingQueueLosesNothingItAccepted) {
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
TEST(BoundedQueueStress, UnderLoadADroppingQueueAcceptsEverythingAndCountsWhatItDropped) {
  Queue queue(kCapacity, Overflow::kDropOldest);
  Outcome outcome;
  run(queue, outcome, false);
  const std::vector<int> all = all_items(outcome);
  EXPECT_EQ(outcome.refused, 0u);
  EXPECT_EQ(all.size() + queue.counts().dropped, std::size_t{kProducers} * kItemsPerProducer);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

TEST(BoundedQueueStress, ConsumersThatGiveUpLoseNoWakeUp) {
  Queue queue(kCapacity, Overflow::kReject);
  std::vector<int> patient_items;
  std::vector<std::vector<int>> fickle_items(kConsumers);
  std::atomic<bool> stop{false};
  std::thread patient([&] { patient_items = consume(queue); });
  std::vector<std::thread> fickle;
  for (int c = 0; c < kConsumers; ++c) {
    fickle.emplace_back([&, c] {
      ThreadWaiter waiter;
      std::optional<int> item;
      while (!stop) {
        switch (queue.pop_or_wait(item, waiter)) {
          case Pop::kItem:
            fickle_items[c].push_back(*item);
            break;
          case Pop::kWaiting:
            if (!queue.cancel_wait(waiter)) {
              waiter.wait();
              queue.pass_on();
            }
            break;
          case Pop::kDrained:
            return;
        }
      }
    });
  }
  // Each item is awaited: if a wake-up were lost, the patient consumer would sleep on an item for ever.
  for (int i = 0; i < kItemsPerProducer; ++i) {
    ASSERT_EQ(queue.try_push(int{i}), PushResult::kPushed);
    while (queue.size() > 0) std::this_thread::yield();
  }
  stop = true;
  queue.close();
  patient.join();
  for (std::thread& thread : fickle) thread.join();
  std::size_t total = patient_items.size();
  for (const auto& items : fickle_items) total += items.size();
  EXPECT_EQ(total, static_cast<std::size_t>(kItemsPerProducer));
}

}  // namespace
}  // namespace hyperscale::concurrent
