#include "concurrent/ranked_mutex.h"
#include "loop_test.h"
#include "runtime/channel/async_queue.h"
#include "runtime/channel/one_shot.h"
#include "runtime/clock/clock.h"
#include "runtime/task/in_flight.h"
#include "runtime/task/stop_signal.h"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>
#include <gmock/gmock.h>

namespace hyperscale::runtime {
namespace {

using concurrent::Overflow;
using IntQueue = concurrent::BoundedQueue<int>;

constexpr int kStressItems = 20'000;
constexpr int kStressConsumers = 8;
constexpr int kStressProducers = 4;

class AsyncWaitTest : public LoopTest {};
BOTH_FLAVOURS(AsyncWaitTest);

asio::awaitable<int> count_items(IntQueue& queue) {
  int count = 0;
  for (;;) {
    const auto item = co_await async_pop(queue);
    if (!item) co_return count;
    ++count;
  }
}

TEST_P(AsyncWaitTest, ManyProducersAndConsumersLoseNothing) {
  IntQueue queue(64, Overflow::kReject);
  std::vector<std::future<int>> consumers;
  for (int i = 0; i < kStressConsumers; ++i) consumers.push_back(spawn(count_items(queue)));
  std::vector<std::thread> producers;
  for (int p = 0; p < kStressProducers; ++p) {
    producers.emplace_back([&queue] {
      for (int i = 0; i < kStressItems / kStressProducers; ++i) {
        while (queue.try_push(int{i}) == concurrent::PushResult::kFull) std::this_thread::yield();
      }
    });
  }
  for (auto& producer : producers) producer.join();
  // Only wake-ups drain the queue: nobody pushes any more and the queue is not yet closed.
  EXPECT_TRUE(eventually([&] { return queue.size() == 0; }));
  queue.close();
  int total = 0;
  for (auto& consumer : consumers) total += consumer.get();
  EXPECT_EQ(total, kStressItems);
}

struct Cancelable {
  asio::any_io_executor strand;
  asio::cancellation_signal signal;
  std::promise<bool> ended;  // true: ended by an exception
};

template <typename T>
std::future<bool> spawn_cancelable(const std::shared_ptr<Cancelable>& task, asio::awaitable<T> work) {
  auto done = task->ended.get_future();
  auto ended = [task](const std::exception_ptr& failure, auto&&...) { task->ended.set_value(failure != nullptr); };
  asio::co_spawn(task->strand, std::move(work), asio::bind_cancellation_slot(task->signal.slot(), ended));
  return done;
}

void cancel(const std::shared_ptr<Cancelable>& task) {
  asio::post(task->strand, [task] { task->signal.emit(asio::cancellation_type::terminal); });
}

// proves part: NODE-INV-5 (waits for queues and the bus; not those for sockets and timers)
TEST_P(AsyncWaitTest, CancellingConsumersLosesNoItem) {
  constexpr int kRounds = 300;
  IntQueue queue(kRounds, Overflow::kReject);
  auto survivor = spawn(count_items(queue));
  int taken_by_victims = 0;
  for (int round = 0; round < kRounds; ++round) {
    const auto victim = std::make_shared<Cancelable>();
    victim->strand = loops.make_strand();
    auto counted = std::make_shared<std::atomic<int>>(0);
    struct Body {
      static asio::awaitable<void> consume(IntQueue& queue, std::shared_ptr<std::atomic<int>> counted) {
        for (;;) {
          const auto item = co_await async_pop(queue);
          if (!item) co_return;
          ++*counted;
        }
      }
    };
    auto ended = spawn_cancelable(victim, Body::consume(queue, counted));
    // The push races the cancellation: the wake-up may reach the victim when it is already on its way out.
    std::thread push([&queue] { queue.try_push(1); });
    cancel(victim);
    push.join();
    EXPECT_TRUE(ended.get());
    taken_by_victims += *counted;
  }
  EXPECT_TRUE(eventually([&] { return queue.size() == 0; })) << "an item lies in the queue and nobody was woken for it";
  queue.close();
  EXPECT_EQ(survivor.get() + taken_by_victims, kRounds);
}

asio::awaitable<void> pop_one(IntQueue& queue) {
  co_await async_pop(queue);
}

// The order that leaves a waiter behind in a queue if a wake-up hides a cancellation: woken for an item, the item taken
// by somebody else, cancelled, and only then resumed.
//
// proves part: NODE-INV-5 (waits for queues and the bus; not those for sockets and timers)
TEST(AsyncQueueTest, ConsumerWokenAndCancelledLeavesTheQueue) {
  asio::io_context context;
  IntQueue queue(4, Overflow::kReject);
  const auto victim = std::make_shared<Cancelable>();
  victim->strand = asio::make_strand(context);
  auto ended = spawn_cancelable(victim, pop_one(queue));
  context.poll();
  ASSERT_EQ(queue.try_push(1), concurrent::PushResult::kPushed);
  ASSERT_EQ(queue.try_pop(), 1);
  victim->signal.emit(asio::cancellation_type::terminal);
  context.restart();
  context.poll();
  ASSERT_EQ(ended.wait_for(0s), std::future_status::ready);
  EXPECT_TRUE(ended.get());
  // Its place is free: the next item wakes the next consumer.
  auto next = asio::co_spawn(asio::make_strand(context), pop_one(queue), asio::use_future);
  context.restart();
  context.poll();
  queue.try_push(2);
  context.restart();
  context.poll();
  EXPECT_EQ(next.wait_for(0s), std::future_status::ready);
  EXPECT_EQ(queue.size(), 0u);
}

// proves part: NODE-INV-5 (waits for queues and the bus; not those for sockets and timers)
TEST(AsyncQueueTest, ACancelledConsumerPassesItsWakeUpOn) {
  asio::io_context context;
  IntQueue queue(4, Overflow::kReject);
  const auto victim = std::make_shared<Cancelable>();
  victim->strand = asio::make_strand(context);
  auto ended = spawn_cancelable(victim, pop_one(queue));
  context.poll();
  auto next = asio::co_spawn(asio::make_strand(context), pop_one(queue), asio::use_future);
  context.restart();
  context.poll();
  queue.try_push(1);  // wakes the victim, which was first in line
  victim->signal.emit(asio::cancellation_type::terminal);
  context.restart();
  context.poll();
  EXPECT_TRUE(ended.get());
  EXPECT_EQ(next.wait_for(0s), std::future_status::ready) << "the item was left to nobody";
  EXPECT_EQ(queue.size(), 0u);
}

asio::awaitable<int> await_value(std::shared_ptr<OneShot<int>> shot, MonoTime deadline) {
  const auto value = co_await shot->wait_until(deadline);
  co_return value.value_or(-1);
}

TEST_P(AsyncWaitTest, AOneShotReachesItsWaiterWhicheverComesFirst) {
  constexpr int kRounds = 2'000;
  std::vector<std::future<int>> waits;
  std::vector<std::shared_ptr<OneShot<int>>> shots;
  for (int i = 0; i < kRounds; ++i) shots.push_back(std::make_shared<OneShot<int>>());
  std::thread setter([&shots] {
    for (int i = 0; i < kRounds; ++i) shots[static_cast<std::size_t>(i)]->set(i);
  });
  for (const auto& shot : shots) waits.push_back(spawn(await_value(shot, MonoTime::max())));
  setter.join();
  for (int i = 0; i < kRounds; ++i) EXPECT_EQ(waits[static_cast<std::size_t>(i)].get(), i);
}

TEST_P(AsyncWaitTest, OneShotKeepsFirstValueAndTimesOut) {
  const auto shot = std::make_shared<OneShot<int>>();
  EXPECT_EQ(run(await_value(shot, mono_now() + 5ms)), -1);
  EXPECT_FALSE(shot->ready());
  EXPECT_TRUE(shot->set(1));
  EXPECT_FALSE(shot->set(2));
  EXPECT_EQ(run(await_value(shot, MonoTime::max())), 1);
}

asio::awaitable<bool> await_stop(StopToken token, MonoTime deadline) {
  co_return co_await token.wait_until(deadline);
}

// proves: NODE-SAFE-2
TEST_P(AsyncWaitTest, AStopGivenBeforeATaskSubscribesIsStillSeen) {
  StopSignal stop;
  const StopToken early = stop.token();
  stop.request();
  EXPECT_TRUE(early.requested());
  EXPECT_TRUE(run(await_stop(early, mono_now() + kTestBound)));
  EXPECT_TRUE(run(await_stop(stop.token(), mono_now() + kTestBound)));
}

// proves: NODE-SAFE-2
TEST_P(AsyncWaitTest, AStopThatRacesWithItsSubscribersReachesAll) {
  for (int round = 0; round < 200; ++round) {
    StopSignal stop;
    std::thread requester([&stop] { stop.request(); });
    std::vector<std::future<bool>> waits;
    for (int i = 0; i < 8; ++i) waits.push_back(spawn(await_stop(stop.token(), MonoTime::max())));
    requester.join();
    for (auto& wait : waits) {
      const bool reached = wait.wait_for(kTestBound) == std::future_status::ready;
      EXPECT_TRUE(reached) << "a wake-up was missed";
      if (!reached) stop.request();  // lets the sleeper go, so that the test can end
      EXPECT_TRUE(wait.get());
    }
  }
}

TEST_P(AsyncWaitTest, AStopWaitEndsAtItsDeadline) {
  StopSignal stop;
  EXPECT_FALSE(run(await_stop(stop.token(), mono_now() + 5ms)));
}

asio::awaitable<bool> await_idle(const InFlight& in_flight, MonoTime deadline) {
  co_return co_await in_flight.wait_idle(deadline);
}

TEST_P(AsyncWaitTest, InFlightIsIdleOnlyWhenTheLastGuardIsGone) {
  InFlight in_flight;
  EXPECT_TRUE(run(await_idle(in_flight, MonoTime::max())));
  auto first = std::make_unique<InFlight::Guard>(in_flight.enter());
  auto second = std::make_unique<InFlight::Guard>(in_flight.enter());
  EXPECT_FALSE(run(await_idle(in_flight, mono_now() + 5ms)));
  auto idle = spawn(await_idle(in_flight, MonoTime::max()));
  first.reset();
  EXPECT_EQ(idle.wait_for(5ms), std::future_status::timeout);
  std::thread([&second] { second.reset(); }).join();
  EXPECT_TRUE(idle.get());
  EXPECT_EQ(in_flight.count(), 0u);
}

asio::awaitable<void> wait_with_a_lock(IntQueue& queue, concurrent::RankedMutex& mutex) {
  const concurrent::RankedLock lock(mutex);
  co_await async_pop(queue);
}

asio::awaitable<void> wait_for_stop_with_a_lock(StopToken token, concurrent::RankedMutex& mutex) {
  const concurrent::RankedLock lock(mutex);
  co_await token.wait();
}

void run_on_a_loop(asio::awaitable<void> work) {
  asio::io_context context;
  asio::co_spawn(asio::make_strand(context), std::move(work), asio::use_future);
  context.run_for(1s);  // a check that is gone must fail the test, not hang it
}

// proves part: NODE-TEST-3 (waits for events and for the stop, with a ranked lock; not sockets and timers)
// proves part: NODE-LOCK-4 (waits for events and for the stop, with a ranked lock; not sockets and timers)
// proves part: NODE-SAFE-4 (storing, order and two suspension points; not every suspension point)
// proves part: NODE-INV-1 (waits for events and for the stop, with a ranked lock; not waits for sockets and timers)
TEST(LockAcrossSuspensionDeathTest, WaitingWithALockHeldAborts) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  concurrent::RankedMutex mutex(concurrent::LockRank::kCounters);
  IntQueue queue(1, Overflow::kReject);
  EXPECT_DEATH(run_on_a_loop(wait_with_a_lock(queue, mutex)), "AsyncEvent::wait_until");
  EXPECT_DEATH(run_on_a_loop(wait_for_stop_with_a_lock(StopSignal().token(), mutex)), "AsyncEvent::wait_until");
}

}  // namespace
}  // namespace hyperscale::runtime
