#include "concurrent/mpsc_ring.h"

#include <array>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::concurrent {
namespace {

TEST(MpscRing, FillsToItsCapacityAndRefusesTheRest) {
  MpscRing<std::unique_ptr<int>> ring(4);
  for (int lap = 0; lap < 3; ++lap) {
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(ring.try_push(std::make_unique<int>(i)));
    auto refused = std::make_unique<int>(99);
    EXPECT_FALSE(ring.try_push(std::move(refused)));
    EXPECT_NE(refused, nullptr);
    for (int i = 0; i < 4; ++i) ASSERT_EQ(**ring.try_pop(), i);
    EXPECT_FALSE(ring.try_pop().has_value());
  }
}

TEST(MpscRing, KeepsTheOrderOfEachProducerAndLosesNothing) {
  constexpr int kProducers = 4;
  constexpr int kItemsPerProducer = 10'000;
  struct Item {
    int producer;
    int number;
  };
  MpscRing<Item> ring(64);
  std::vector<std::thread> producers;
  for (int p = 0; p < kProducers; ++p) {
    producers.emplace_back([&ring, p] {
      for (int i = 0; i < kItemsPerProducer; ++i) {
        while (!ring.try_push(Item{p, i})) std::this_thread::yield();
      }
    });
  }
  std::array<int, kProducers> next{};
  for (int received = 0; received < kProducers * kItemsPerProducer;) {
    const std::optional<Item> item = ring.try_pop();
    if (!item) {
      std::this_thread::yield();
      continue;
    }
    ASSERT_EQ(item->number, next[item->producer]++);
    ++received;
  }
  for (std::thread& thread : producers) thread.join();
  EXPECT_FALSE(ring.try_pop().has_value());
}

TEST(MpscRingDeathTest, ACapacityBelowTwoIsABug) {
  EXPECT_DEATH(MpscRing<int>(1), "not a power of two above 1");
}

}  // namespace
}  // namespace hyperscale::concurrent
