// BoundedQueue with producers, consumers and shutdown: every thread ends (no deadlock, no missed wake-up), and every
// accepted item is delivered exactly once or counted as discarded.
#include "concurrent/bounded_queue.h"
#include "model_run.h"
#include "model_waiter.h"

namespace hyperscale::models {
namespace {

using concurrent::Overflow;
using concurrent::Pop;
using concurrent::PushResult;

enum class Sleeper { kKeepsSignals, kForgetsSignals };

constexpr int kItems = 2;

struct Deliveries {
  int accepted[kItems] = {};
  int delivered[kItems] = {};

  void check_exactly_once() const {
    for (int i = 0; i < kItems; ++i) RL_ASSERT(accepted[i] == delivered[i]);
  }
};

template <typename Queue>
void offer(Queue& queue, Deliveries& deliveries, int item) {
  if (queue.try_push(int{item}) == PushResult::kPushed) ++deliveries.accepted[item];
}

// A consumer as the product has them: pops until drained, sleeps when there is nothing.
template <Sleeper kSleeper = Sleeper::kKeepsSignals, typename Queue>
void consume(Queue& queue, ModelWaiter& waiter, Deliveries& deliveries) {
  std::optional<int> item;
  for (;;) {
    switch (queue.pop_or_wait(item, waiter)) {
      case Pop::kItem:
        ++deliveries.delivered[*item];
        break;
      case Pop::kWaiting:
        kSleeper == Sleeper::kKeepsSignals ? waiter.wait() : waiter.forget_then_wait();
        break;
      case Pop::kDrained:
        return;
    }
  }
}

// Shutdown comes from a third thread at any moment, with the queue full, half full or empty.
template <typename Sync, Sleeper kSleeper = Sleeper::kKeepsSignals>
struct Shutdown : rl::test_suite<Shutdown<Sync, kSleeper>, 3> {
  concurrent::BoundedQueue<int, Sync> queue{1, Overflow::kReject};
  ModelWaiter waiter;
  Deliveries deliveries;

  void thread(unsigned index) {
    if (index == 0) {
      for (int i = 0; i < kItems; ++i) offer(queue, deliveries, i);
    } else if (index == 1) {
      consume<kSleeper>(queue, waiter, deliveries);
    } else {
      queue.close();
    }
  }
  void after() {
    deliveries.check_exactly_once();
    RL_ASSERT(queue.drained());
  }
};

// Two consumers share what a producer sends before it closes.
template <typename Sync>
struct SharedDrain : rl::test_suite<SharedDrain<Sync>, 3> {
  concurrent::BoundedQueue<int, Sync> queue{kItems, Overflow::kReject};
  ModelWaiter waiters[2];
  Deliveries deliveries;

  void before() {
    RL_ASSERT(!queue.drained());
    offer(queue, deliveries, 0);
  }
  void thread(unsigned index) {
    if (index < 2) return consume(queue, waiters[index], deliveries);
    offer(queue, deliveries, 1);
    queue.close();
  }
  void after() {
    deliveries.check_exactly_once();
    RL_ASSERT(deliveries.accepted[0] == 1 && deliveries.accepted[1] == 1);
  }
};

enum class Quitter { kPassesOn, kWalksAway };

// One consumer gives up: it cancels its wait, or puts the item back it has taken. The item must reach the other one.
template <Quitter kQuitter>
struct GivingUp : rl::test_suite<GivingUp<kQuitter>, 3> {
  concurrent::BoundedQueue<int, RelacySync> queue{1, Overflow::kReject, 1};
  ModelWaiter waiters[2];

  void thread(unsigned index) {
    if (index == 0) queue.try_push(7);
    if (index == 1) give_up(waiters[0]);
    if (index == 2) take_one(waiters[1]);
  }
  void give_up(ModelWaiter& waiter) {
    std::optional<int> item;
    if (queue.pop_or_wait(item, waiter) == Pop::kItem) {
      RL_ASSERT(queue.requeue(int{*item}));
    } else if (!queue.cancel_wait(waiter)) {
      waiter.wait();
      if (kQuitter == Quitter::kPassesOn) queue.pass_on();
    }
  }
  void take_one(ModelWaiter& waiter) {
    std::optional<int> item;
    while (queue.pop_or_wait(item, waiter) == Pop::kWaiting) waiter.wait();
    RL_ASSERT(item == 7);
  }
};

// A full queue that makes room. Items only grow, discarded ones are counted, the last one always arrives.
template <Overflow kOverflow, typename Sync = RelacySync>
struct Discarding : rl::test_suite<Discarding<kOverflow, Sync>, 2> {
  static constexpr int kLast = 3;
  concurrent::BoundedQueue<int, Sync> queue{2, kOverflow, 1};
  int previous = 0;

  void thread(unsigned index) {
    if (index == 0) {
      for (int item = 1; item <= kLast; ++item) RL_ASSERT(queue.try_push(int{item}) != PushResult::kFull);
      queue.close();
    } else {
      receive();
      receive();
    }
  }
  bool receive() {
    const std::optional<int> item = queue.try_pop();
    if (!item) return false;
    RL_ASSERT(*item > previous);
    previous = *item;
    return true;
  }
  void after() {
    RL_ASSERT(queue.drained() == (queue.size() == 0));
    while (receive()) {
    }
    RL_ASSERT(previous == kLast);
    const concurrent::QueueCounts counts = queue.counts();
    RL_ASSERT(counts.pushed == kLast);
    RL_ASSERT(counts.pushed == counts.popped + counts.dropped + counts.coalesced);
    RL_ASSERT(queue.closed() && queue.size() == 0 && queue.capacity() == 2 && queue.overflow() == kOverflow);
    RL_ASSERT(queue.requeue(1) && queue.requeue(2) && queue.requeue(3) && !queue.requeue(4));
  }
};

}  // namespace
}  // namespace hyperscale::models

// proves: NODE-TEST-4, NODE-SAFE-7, NODE-SAFE-1
int main() {
  using namespace hyperscale::models;
  bool ok = every_schedule_holds<Shutdown<RelacySync>>("shutdown");
  ok &= every_schedule_holds<SharedDrain<RelacySync>>("shared drain");
  ok &= every_schedule_holds<GivingUp<Quitter::kPassesOn>>("giving up");
  ok &= every_schedule_holds<Discarding<Overflow::kDropOldest>>("drop oldest");
  ok &= every_schedule_holds<Discarding<Overflow::kCoalesce>>("coalesce");
  ok &= planted_bug_is_found<Shutdown<RelacySync, Sleeper::kForgetsSignals>>("missed shutdown wake-up",
                                                                             rl::test_result_deadlock);
  ok &= planted_bug_is_found<GivingUp<Quitter::kWalksAway>>("wake-up not passed on", rl::test_result_deadlock);
  ok &= planted_bug_is_found<Discarding<Overflow::kDropOldest, WithoutLock>>("no lock", rl::test_result_data_race);
  return ok ? 0 : 1;
}
