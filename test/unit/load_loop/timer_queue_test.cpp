#include "load/loop/timer_queue.h"

#include "allocation_count.h"

#include <algorithm>
#include <deque>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::load {
namespace {

MonoTime at(std::int64_t ns) {
  return MonoTime::from_ns(ns);
}

struct Fired {
  std::vector<int>* order;
  int name;
  static void note(void* self) {
    auto& fired = *static_cast<Fired*>(self);
    fired.order->push_back(fired.name);
  }
};

TEST(TimerQueue, FiresWhatIsDueInOrderOfTimeAndNothingElse) {
  TimerQueue queue;
  std::vector<int> order;
  Fired first{&order, 1}, second{&order, 2}, third{&order, 3};
  Timer a(&Fired::note, &first), b(&Fired::note, &second), c(&Fired::note, &third);
  queue.set(c, at(30));
  queue.set(a, at(10));
  queue.set(b, at(20));
  EXPECT_EQ(queue.next(), at(10));
  queue.fire_due(at(20));
  EXPECT_EQ(order, (std::vector{1, 2}));
  EXPECT_FALSE(a.is_set());
  EXPECT_TRUE(c.is_set());
  EXPECT_EQ(queue.next(), at(30));
}

TEST(TimerQueue, EqualTimesFireInTheOrderOfSetting) {
  TimerQueue queue;
  std::vector<int> order;
  std::deque<Fired> notes;
  std::deque<Timer> timers;
  for (int i = 0; i < 100; ++i) {
    notes.push_back({&order, i});
    timers.emplace_back(&Fired::note, &notes.back());
    queue.set(timers.back(), at(7));
  }
  queue.fire_due(at(7));
  EXPECT_TRUE(std::ranges::is_sorted(order));
  EXPECT_EQ(order.size(), 100U);
}

TEST(TimerQueue, ATimerThatIsSetAgainMoves) {
  TimerQueue queue;
  std::vector<int> order;
  Fired first{&order, 1}, second{&order, 2};
  Timer a(&Fired::note, &first), b(&Fired::note, &second);
  queue.set(a, at(10));
  queue.set(b, at(20));
  queue.set(a, at(30));
  queue.fire_due(at(25));
  EXPECT_EQ(order, std::vector{2});
  queue.set(a, at(5));
  EXPECT_EQ(queue.next(), at(5));
}

TEST(TimerQueue, ATimerThatDiesLeavesTheQueue) {
  TimerQueue queue;
  std::vector<int> order;
  Fired only{&order, 1};
  {
    Timer timer(&Fired::note, &only);
    queue.set(timer, at(10));
  }
  queue.fire_due(at(100));
  EXPECT_TRUE(order.empty());
  EXPECT_EQ(queue.next(), MonoTime::max());
}

struct Reset {
  TimerQueue* queue;
  Timer timer{&Reset::again, this};
  int rounds = 0;
  static void again(void* self) {
    auto& reset = *static_cast<Reset*>(self);
    if (++reset.rounds < 3) reset.queue->set(reset.timer, at(reset.rounds));
  }
};

TEST(TimerQueue, ATimerMaySetItselfAgainWhileItFires) {
  TimerQueue queue;
  Reset reset{&queue};
  queue.set(reset.timer, at(0));
  queue.fire_due(at(10));
  EXPECT_EQ(reset.rounds, 3);
}

RC_GTEST_PROP(TimerQueue, FiresInTheOrderOfASortedList, (std::vector<std::uint16_t> times)) {
  TimerQueue queue;
  std::vector<int> order;
  std::deque<Fired> notes;
  std::deque<Timer> timers;
  for (std::size_t i = 0; i < times.size(); ++i) {
    notes.push_back({&order, times[i]});
    timers.emplace_back(&Fired::note, &notes.back());
    queue.set(timers.back(), at(times[i]));
  }
  for (std::size_t i = 0; i < times.size(); i += 3) queue.cancel(timers[i]);
  std::vector<int> expected;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (i % 3 != 0) expected.push_back(times[i]);
  std::sort(expected.begin(), expected.end());
  queue.fire_due(at(1 << 16));
  RC_ASSERT(order == expected);
}

struct Expired {
  int times = 0;
  static void note(void* self) { ++static_cast<Expired*>(self)->times; }
};

TEST(LazyDeadline, MovesOnWithoutTouchingTheQueue) {
  TimerQueue queue;
  Expired expired;
  LazyDeadline deadline(queue, &Expired::note, &expired);
  deadline.set(at(10));
  const std::size_t before = test::allocation_count();
  for (int i = 11; i < 1000; ++i) deadline.set(at(i));
  EXPECT_EQ(test::allocation_count(), before);
  EXPECT_EQ(queue.next(), at(10)) << "moving later leaves the timer where it is";
  queue.fire_due(at(500));
  EXPECT_EQ(expired.times, 0);
  queue.fire_due(at(999));
  EXPECT_EQ(expired.times, 1);
  queue.fire_due(at(5000));
  EXPECT_EQ(expired.times, 1);
}

TEST(LazyDeadline, AnEarlierDeadlineCounts) {
  TimerQueue queue;
  Expired expired;
  LazyDeadline deadline(queue, &Expired::note, &expired);
  deadline.set(at(100));
  deadline.set(at(10));
  queue.fire_due(at(10));
  EXPECT_EQ(expired.times, 1);
}

TEST(LazyDeadline, ClearedMeansNever) {
  TimerQueue queue;
  Expired expired;
  LazyDeadline deadline(queue, &Expired::note, &expired);
  deadline.set(at(10));
  deadline.clear();
  queue.fire_due(at(1000));
  EXPECT_EQ(expired.times, 0);
}

}  // namespace
}  // namespace hyperscale::load
