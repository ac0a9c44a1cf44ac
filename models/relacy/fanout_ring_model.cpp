// FanoutRing of one slot: two publishers, one of which closes the ring, and a receiver that may be slow. What it
// receives and what it is told it missed add up to what was published.
#include "concurrent/fanout_ring.h"
#include "model_run.h"
#include "model_waiter.h"

namespace hyperscale::models {
namespace {

using concurrent::Recv;

enum class Lag { kCounted, kOverlooked };

template <typename Sync, Lag kLag>
struct Broadcast : rl::test_suite<Broadcast<Sync, kLag>, 3> {
  using Ring = concurrent::FanoutRing<int, Sync>;
  Ring ring{1};
  typename Ring::Receiver receiver = ring.subscribe();
  ModelWaiter waiter;
  std::uint64_t published = 0;
  std::uint64_t accounted = 0;

  void thread(unsigned index) {
    if (index == 0) {
      publish(1);
      publish(2);
      ring.close();
    } else if (index == 1) {
      publish(0);
    } else {
      receive();
    }
  }

  void publish(int item) {
    if (ring.publish(item)) ++published;
  }

  void receive() {
    int previous = 0;
    std::optional<int> item;
    for (;;) {
      switch (receiver.recv_or_wait(item, waiter)) {
        case Recv::kItem:
          RL_ASSERT(*item == 0 || *item > previous);
          if (*item != 0) previous = *item;
          ++accounted;
          break;
        case Recv::kLagged:
          RL_ASSERT(receiver.lagged() > 0);
          if (kLag == Lag::kCounted) accounted += receiver.lagged();
          break;
        case Recv::kWaiting:
          waiter.wait();
          break;
        case Recv::kEmpty:
          RL_ASSERT(false);
          break;
        case Recv::kClosed:
          return;
      }
    }
  }

  void after() {
    RL_ASSERT(published >= 2);
    RL_ASSERT(ring.published() == published);
    RL_ASSERT(accounted == published);
  }
};

// A receiver that loses interest while it waits; the other one must not suffer.
struct Unsubscribing : rl::test_suite<Unsubscribing, 3> {
  using Ring = concurrent::FanoutRing<int, RelacySync>;
  Ring ring{2};
  Ring::Receiver patient = ring.subscribe();
  std::optional<Ring::Receiver> leaving = ring.subscribe();
  ModelWaiter waiters[2];

  void thread(unsigned index) {
    std::optional<int> item;
    if (index == 0) {
      ring.publish(1);
    } else if (index == 1) {
      while (patient.recv_or_wait(item, waiters[0]) == Recv::kWaiting) waiters[0].wait();
      RL_ASSERT(item == 1);
    } else {
      const Recv first = leaving->try_recv(item);
      RL_ASSERT(first == Recv::kEmpty || first == Recv::kItem);
      if (leaving->recv_or_wait(item, waiters[1]) == Recv::kWaiting && !leaving->cancel_wait(waiters[1])) {
        waiters[1].wait();
      }
      leaving.reset();
    }
  }
  void after() { RL_ASSERT(ring.receivers() == 1 && ring.capacity() == 2); }
};

}  // namespace
}  // namespace hyperscale::models

// proves: NODE-SAFE-7
int main() {
  using namespace hyperscale::models;
  bool ok = every_schedule_holds<Broadcast<RelacySync, Lag::kCounted>>("broadcast with lag");
  ok &= every_schedule_holds<Unsubscribing>("unsubscribing");
  ok &= planted_bug_is_found<Broadcast<RelacySync, Lag::kOverlooked>>("lag overlooked",
                                                                      rl::test_result_user_assert_failed);
  ok &= planted_bug_is_found<Broadcast<WithoutLock, Lag::kCounted>>("no lock", rl::test_result_data_race);
  return ok ? 0 : 1;
}
