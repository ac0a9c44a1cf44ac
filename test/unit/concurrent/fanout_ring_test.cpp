#include "concurrent/fanout_ring.h"

#include "test_waiters.h"

#include <latch>
#include <thread>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::concurrent {
namespace {

constexpr std::size_t kBusCapacity = 1024;

TEST(FanoutRing, EveryReceiverGetsEveryItemInOrder) {
  FanoutRing<int> ring(8);
  auto a = ring.subscribe();
  auto b = ring.subscribe();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(ring.publish(i));
  std::optional<int> item;
  for (auto* receiver : {&a, &b}) {
    for (int i = 0; i < 5; ++i) {
      ASSERT_EQ(receiver->try_recv(item), Recv::kItem);
      EXPECT_EQ(item, i);
    }
    EXPECT_EQ(receiver->try_recv(item), Recv::kEmpty);
    EXPECT_EQ(item, std::nullopt);
  }
}

TEST(FanoutRing, StalledReceiverLearnsExactlyOneLoss) {
  FanoutRing<int> ring(kBusCapacity);
  auto receiver = ring.subscribe();
  for (int i = 0; i < static_cast<int>(kBusCapacity) + 1; ++i) ring.publish(i);
  std::optional<int> item;
  ASSERT_EQ(receiver.try_recv(item), Recv::kLagged);
  EXPECT_EQ(receiver.lagged(), 1u);
  for (int i = 1; i <= static_cast<int>(kBusCapacity); ++i) {
    ASSERT_EQ(receiver.try_recv(item), Recv::kItem);
    ASSERT_EQ(item, i) << "goes on with the oldest that is still kept";
  }
  EXPECT_EQ(receiver.try_recv(item), Recv::kEmpty);
}

TEST(FanoutRing, AFullButNotOverfullRingIsNoLag) {
  FanoutRing<int> ring(kBusCapacity);
  auto receiver = ring.subscribe();
  for (int i = 0; i < static_cast<int>(kBusCapacity); ++i) ring.publish(i);
  std::optional<int> item;
  EXPECT_EQ(receiver.try_recv(item), Recv::kItem);
  EXPECT_EQ(item, 0);
}

TEST(FanoutRing, ReceiverSeesOnlyItemsAfterSubscribing) {
  FanoutRing<int> ring(4);
  for (int i = 0; i < 100; ++i) ring.publish(i);
  auto receiver = ring.subscribe();
  std::optional<int> item;
  EXPECT_EQ(receiver.try_recv(item), Recv::kEmpty);
  ring.publish(100);
  EXPECT_EQ(receiver.try_recv(item), Recv::kItem);
  EXPECT_EQ(item, 100);
}

TEST(FanoutRing, AfterCloseReceiversGetTheRestThenClosed) {
  FanoutRing<int> ring(4);
  auto receiver = ring.subscribe();
  ring.publish(1);
  ring.close();
  EXPECT_FALSE(ring.publish(2));
  std::optional<int> item;
  EXPECT_EQ(receiver.try_recv(item), Recv::kItem);
  EXPECT_EQ(receiver.try_recv(item), Recv::kClosed);
}

TEST(FanoutRing, AReceiverMayOutliveTheRing) {
  auto ring = std::make_unique<FanoutRing<int>>(4);
  auto receiver = ring->subscribe();
  CountingWaiter waiter;
  std::optional<int> item;
  ASSERT_EQ(receiver.recv_or_wait(item, waiter), Recv::kWaiting);
  ring.reset();
  EXPECT_EQ(waiter.wakes, 1);
  EXPECT_EQ(receiver.try_recv(item), Recv::kClosed);
}

TEST(FanoutRing, PublishWakesEveryWaitingReceiverOnce) {
  FanoutRing<int> ring(4);
  auto a = ring.subscribe();
  auto b = ring.subscribe();
  CountingWaiter wa, wb;
  std::optional<int> item;
  ASSERT_EQ(a.recv_or_wait(item, wa), Recv::kWaiting);
  ASSERT_EQ(b.recv_or_wait(item, wb), Recv::kWaiting);
  EXPECT_TRUE(b.cancel_wait(wb));
  ASSERT_EQ(b.recv_or_wait(item, wb), Recv::kWaiting);
  ring.publish(1);
  ring.publish(2);
  EXPECT_EQ(wa.wakes, 1);
  EXPECT_EQ(wb.wakes, 1);
  EXPECT_FALSE(a.cancel_wait(wa));
  EXPECT_EQ(a.recv_or_wait(item, wa), Recv::kItem);
  EXPECT_EQ(item, 1);
}

TEST(FanoutRing, ADestroyedReceiverIsUnsubscribed) {
  FanoutRing<int> ring(4);
  {
    auto receiver = ring.subscribe();
    EXPECT_EQ(ring.receivers(), 1u);
  }
  EXPECT_EQ(ring.receivers(), 0u);
  EXPECT_TRUE(ring.publish(1));
}

TEST(FanoutRing, ReceivedPlusLaggedIsWhatWasPublished) {
  EXPECT_TRUE(rc::check("every item is received or counted as missed, in order", [] {
    const auto capacity = *rc::gen::inRange<std::size_t>(1, 9);
    FanoutRing<std::uint64_t> ring(capacity);
    auto receiver = ring.subscribe();
    std::uint64_t expected = 0, published = 0;
    std::optional<std::uint64_t> item;
    for (bool publish : *rc::gen::container<std::vector<bool>>(rc::gen::arbitrary<bool>())) {
      if (publish) {
        ring.publish(published++);
        continue;
      }
      const std::uint64_t behind = published - expected;
      const Recv result = receiver.try_recv(item);
      if (behind > capacity) {
        RC_ASSERT(result == Recv::kLagged);
        RC_ASSERT(receiver.lagged() == behind - capacity);
        expected += receiver.lagged();
      } else if (behind == 0) {
        RC_ASSERT(result == Recv::kEmpty);
      } else {
        RC_ASSERT(result == Recv::kItem);
        RC_ASSERT(*item == expected++);
      }
    }
  }));
}

TEST(FanoutRing, UnderLoadEveryReceiverAccountsForEveryItem) {
  constexpr int kPublishers = 3;
  constexpr int kReceivers = 3;
  constexpr std::uint64_t kItemsPerPublisher = 10'000;
  FanoutRing<std::uint64_t> ring(32);
  std::vector<FanoutRing<std::uint64_t>::Receiver> subscriptions;
  for (int r = 0; r < kReceivers; ++r) subscriptions.push_back(ring.subscribe());
  std::vector<std::uint64_t> accounted(kReceivers, 0);
  std::latch start(kPublishers + kReceivers);
  std::vector<std::thread> receivers, publishers;
  for (int r = 0; r < kReceivers; ++r) {
    receivers.emplace_back([&, r, receiver = std::move(subscriptions[r])]() mutable {
      start.arrive_and_wait();
      ThreadWaiter waiter;
      std::optional<std::uint64_t> item;
      for (;;) {
        const Recv result = receiver.recv_or_wait(item, waiter);
        if (result == Recv::kClosed) return;
        if (result == Recv::kWaiting) waiter.wait();
        if (result == Recv::kItem) ++accounted[r];
        if (result == Recv::kLagged) accounted[r] += receiver.lagged();
      }
    });
  }
  for (int p = 0; p < kPublishers; ++p) {
    publishers.emplace_back([&] {
      start.arrive_and_wait();
      for (std::uint64_t i = 0; i < kItemsPerPublisher; ++i) ring.publish(i);
    });
  }
  for (std::thread& thread : publishers) thread.join();
  ring.close();
  for (std::thread& thread : receivers) thread.join();
  for (std::uint64_t count : accounted) EXPECT_EQ(count, kPublishers * kItemsPerPublisher);
}

}  // namespace
}  // namespace hyperscale::concurrent
