#include "concurrent/spsc_ring.h"

#include <memory>
#include <thread>

#include <gtest/gtest.h>

namespace hyperscale::concurrent {
namespace {

TEST(SpscRing, FillsToItsCapacityAndRefusesTheRest) {
  SpscRing<std::unique_ptr<int>> ring(4);
  for (int lap = 0; lap < 3; ++lap) {
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(ring.try_push(std::make_unique<int>(i)));
    auto refused = std::make_unique<int>(99);
    EXPECT_FALSE(ring.try_push(std::move(refused)));
    EXPECT_NE(refused, nullptr);
    EXPECT_EQ(ring.size(), 4u);
    for (int i = 0; i < 4; ++i) ASSERT_EQ(**ring.try_pop(), i);
    EXPECT_FALSE(ring.try_pop().has_value());
  }
}

TEST(SpscRing, APoppedSlotReleasesItsItem) {
  SpscRing<std::shared_ptr<int>> ring(2);
  auto item = std::make_shared<int>(1);
  ring.try_push(std::shared_ptr<int>(item));
  ring.try_pop();
  EXPECT_EQ(item.use_count(), 1);
}

TEST(SpscRing, KeepsOrderAndLosesNothingAcrossThreads) {
  constexpr int kItems = 50'000;
  SpscRing<int> ring(64);
  std::thread producer([&] {
    for (int i = 0; i < kItems; ++i) {
      while (!ring.try_push(int{i})) std::this_thread::yield();
    }
  });
  for (int i = 0; i < kItems; ++i) {
    std::optional<int> item;
    while (!(item = ring.try_pop())) std::this_thread::yield();
    ASSERT_EQ(*item, i);
  }
  producer.join();
  EXPECT_FALSE(ring.try_pop().has_value());
}

TEST(SpscRingDeathTest, ACapacityThatIsNoPowerOfTwoIsABug) {
  EXPECT_DEATH(SpscRing<int>(3), "not a power of two");
}

}  // namespace
}  // namespace hyperscale::concurrent
