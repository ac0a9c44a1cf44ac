// BoundedQueue: a queue of fixed capacity between any number of producers and consumers, with a stated overflow policy.
//
//   BoundedQueue<Job> work(512, Overflow::kReject);
//   if (work.try_push(std::move(job)) == PushResult::kFull) return busy();
//   switch (work.pop_or_wait(job, waiter)) { ... }
//
// Sending never waits: a full queue answers at once (kReject), drops its oldest item (kDropOldest) or collapses to the
// newest (kCoalesce). Receiving is non-blocking, or registers a Waiter; see waiter.h for its contract.
// Closing and draining are two steps: close() stops senders at once and wakes every waiter; consumers continue until
// empty.
//
// Thread rule: every member may be called from any thread. The lock inside is held for a few moves of T; neither a
// waiter nor the destructor of a dropped item runs under it. Invariants: size() <= capacity() + requeue slack; pushed +
// requeued == popped + dropped + coalesced + size(). Wake-ups: a push wakes one waiter. A woken consumer may find the
// item taken by another one and registers again. A consumer that stops waiting after it was woken calls pass_on(), so
// that its wake-up is not lost while items remain.
#pragma once

#include "concurrent/atomics_policy.h"
#include "concurrent/fixed_deque.h"
#include "concurrent/waiter.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace hyperscale::concurrent {

enum class Overflow : std::uint8_t {
  kReject,      // the new item is refused
  kDropOldest,  // the oldest queued item makes room
  kCoalesce,    // only the newest item matters: a full queue, and every pop, discards all older ones
};
enum class PushResult : std::uint8_t { kPushed, kReplacedOldest, kFull, kClosed };
enum class Pop : std::uint8_t { kItem, kWaiting, kDrained };

struct QueueCounts {
  std::uint64_t pushed = 0;     // accepted items
  std::uint64_t popped = 0;     // items given to a consumer
  std::uint64_t requeued = 0;   // items that a consumer gave back
  std::uint64_t rejected = 0;   // refused because full (kReject); a refusal because of close() is not counted
  std::uint64_t dropped = 0;    // discarded by kDropOldest
  std::uint64_t coalesced = 0;  // discarded by kCoalesce

  bool operator==(const QueueCounts&) const = default;
};

template <typename T, typename Sync = StdSync>
class BoundedQueue {
 public:
  // requeue_slack: how many items requeue() may hold beyond the capacity; one per consumer is enough for all to give
  // back.
  BoundedQueue(std::size_t capacity, Overflow overflow, std::size_t requeue_slack = 0)
      : capacity_(capacity), overflow_(overflow), state_(capacity + requeue_slack) {
    CHECK(capacity > 0, "a queue needs a capacity");
  }
  BoundedQueue(const BoundedQueue&) = delete;
  BoundedQueue& operator=(const BoundedQueue&) = delete;

  // On kFull and kClosed the item is untouched.
  PushResult try_push(T&& item) {
    Discarded discarded;
    PushResult result = PushResult::kPushed;
    Waiter* waiter = nullptr;
    {
      Lock lock(mutex_);
      State& state = state_.mut();
      if (state.closed) return PushResult::kClosed;
      if (state.items.size() >= capacity_) {
        if (!make_room(state, discarded)) return PushResult::kFull;
        result = PushResult::kReplacedOldest;
      }
      state.items.push_back(std::move(item));
      ++state.counts.pushed;
      waiter = state.waiters.pop_front();
    }
    if (waiter != nullptr) waiter->wake();
    return result;
  }

  // Puts an item back at the front, for the next consumer, even when the queue is full or closed: a consumer that dies
  // must not lose the item it holds. False, and the item untouched, when capacity and slack are used up.
  // After close() the other consumers may already have seen kDrained; their owner checks drained() at the end.
  bool requeue(T&& item) {
    Waiter* waiter = nullptr;
    {
      Lock lock(mutex_);
      State& state = state_.mut();
      if (state.items.size() == state.items.slots()) return false;
      state.items.push_front(std::move(item));
      ++state.counts.requeued;
      waiter = state.waiters.pop_front();
    }
    if (waiter != nullptr) waiter->wake();
    return true;
  }

  std::optional<T> try_pop() {
    Discarded discarded;
    std::optional<T> item;
    Lock lock(mutex_);
    take(state_.mut(), item, discarded);
    return item;
  }

  // In one step: pops into out, or registers the waiter, or reports that the queue is closed and empty.
  Pop pop_or_wait(std::optional<T>& out, Waiter& waiter) {
    out.reset();
    Discarded discarded;
    Lock lock(mutex_);
    State& state = state_.mut();
    if (take(state, out, discarded)) return Pop::kItem;
    if (state.closed) return Pop::kDrained;
    state.waiters.push_back(waiter);
    return Pop::kWaiting;
  }

  // True if the waiter was removed before being woken; see waiter.h for what false obliges to.
  bool cancel_wait(Waiter& waiter) {
    Lock lock(mutex_);
    return state_.mut().waiters.remove(waiter);
  }

  // Called by an owner that was woken but will not pop: wakes another waiter if items remain.
  void pass_on() {
    Waiter* waiter = nullptr;
    {
      Lock lock(mutex_);
      State& state = state_.mut();
      if (state.items.size() > 0) waiter = state.waiters.pop_front();
    }
    if (waiter != nullptr) waiter->wake();
  }

  // Stops senders, wakes every waiter. Idempotent.
  void close() {
    WaitList woken;
    {
      Lock lock(mutex_);
      State& state = state_.mut();
      state.closed = true;
      woken.take_from(state.waiters);
    }
    woken.wake_all();
  }

  std::size_t capacity() const { return capacity_; }
  Overflow overflow() const { return overflow_; }
  std::size_t size() const {
    Lock lock(mutex_);
    return state_.get().items.size();
  }
  bool closed() const {
    Lock lock(mutex_);
    return state_.get().closed;
  }
  // Closed and empty.
  bool drained() const {
    Lock lock(mutex_);
    return state_.get().closed && state_.get().items.size() == 0;
  }
  QueueCounts counts() const {
    Lock lock(mutex_);
    return state_.get().counts;
  }

 private:
  using Lock = typename Sync::lock_guard;

  struct State {
    explicit State(std::size_t slots) : items(slots) {}
    FixedDeque<T> items;
    WaitList waiters;
    QueueCounts counts;
    bool closed = false;
  };

  // Declared before the lock, so that what it holds is destroyed after the lock was released. Dropping, which may
  // happen with every push, does not allocate; coalescing may.
  struct Discarded {
    std::optional<T> dropped;
    std::vector<T> coalesced;
  };

  bool make_room(State& state, Discarded& discarded) {
    switch (overflow_) {
      case Overflow::kDropOldest:
        discarded.dropped.emplace(state.items.pop_front());
        ++state.counts.dropped;
        return true;
      case Overflow::kCoalesce:
        coalesce_down_to(0, state, discarded);
        return true;
      case Overflow::kReject:
        break;
    }
    ++state.counts.rejected;
    return false;
  }

  bool take(State& state, std::optional<T>& out, Discarded& discarded) {
    if (state.items.size() == 0) return false;
    if (overflow_ == Overflow::kCoalesce && state.items.size() > 1) coalesce_down_to(1, state, discarded);
    out.emplace(state.items.pop_front());
    ++state.counts.popped;
    return true;
  }

  void coalesce_down_to(std::size_t kept, State& state, Discarded& discarded) {
    const std::size_t count = state.items.size() - kept;
    discarded.coalesced.reserve(count);
    for (std::size_t i = 0; i < count; ++i) discarded.coalesced.push_back(state.items.pop_front());
    state.counts.coalesced += count;
  }

  const std::size_t capacity_;
  const Overflow overflow_;
  mutable typename Sync::mutex mutex_;
  typename Sync::template var<State> state_;
};

}  // namespace hyperscale::concurrent
