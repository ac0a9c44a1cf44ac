#include "concurrent/waiter.h"

#include "test_waiters.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::concurrent {
namespace {

TEST(WaitList, WakesInTheOrderOfRegistration) {
  CountingWaiter a, b, c;
  WaitList list;
  list.push_back(a);
  list.push_back(b);
  list.push_back(c);
  EXPECT_EQ(list.pop_front(), &a);
  EXPECT_EQ(list.pop_front(), &b);
  EXPECT_EQ(list.pop_front(), &c);
  EXPECT_EQ(list.pop_front(), nullptr);
}

TEST(WaitList, RemovesFromFrontMiddleAndBack) {
  CountingWaiter a, b, c, d;
  WaitList list;
  for (Waiter* waiter : std::vector<Waiter*>{&a, &b, &c, &d}) list.push_back(*waiter);
  EXPECT_TRUE(list.remove(b));
  EXPECT_FALSE(list.remove(b));
  EXPECT_TRUE(list.remove(a));
  EXPECT_TRUE(list.remove(d));
  EXPECT_EQ(list.pop_front(), &c);
  EXPECT_TRUE(list.empty());
}

TEST(WaitList, TakenWaitersCannotBeRemovedAndAreWokenOnce) {
  CountingWaiter a, b;
  WaitList list;
  list.push_back(a);
  list.push_back(b);
  WaitList taken;
  taken.take_from(list);
  EXPECT_TRUE(list.empty());
  EXPECT_FALSE(list.remove(a));
  taken.wake_all();
  taken.wake_all();
  EXPECT_EQ(a.wakes, 1);
  EXPECT_EQ(b.wakes, 1);
}

class VanishingWaiter final : public Waiter {
 public:
  explicit VanishingWaiter(std::unique_ptr<VanishingWaiter>& self) : self_(self) {}
  void wake() noexcept override { self_.reset(); }

 private:
  std::unique_ptr<VanishingWaiter>& self_;
};

TEST(WaitList, AWaiterMayBeDestroyedByItsWakeUp) {
  std::unique_ptr<VanishingWaiter> first, second;
  first = std::make_unique<VanishingWaiter>(first);
  second = std::make_unique<VanishingWaiter>(second);
  WaitList list, taken;
  list.push_back(*first);
  list.push_back(*second);
  taken.take_from(list);
  taken.wake_all();
  EXPECT_EQ(first, nullptr);
  EXPECT_EQ(second, nullptr);
}

TEST(WaitListDeathTest, RegisteringTwiceIsABug) {
  EXPECT_DEATH(
      {
        CountingWaiter waiter;
        WaitList list;
        list.push_back(waiter);
        list.push_back(waiter);
      },
      "registered twice");
}

TEST(WaitListDeathTest, DestroyingARegisteredWaiterIsABug) {
  EXPECT_DEATH(
      {
        WaitList list;
        CountingWaiter waiter;
        list.push_back(waiter);
      },
      "destroyed while registered");
}

}  // namespace
}  // namespace hyperscale::concurrent
