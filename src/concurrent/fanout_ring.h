// FanoutRing: bounded broadcast from any number of producers to any number of receivers.
//
//   FanoutRing<Event> bus(1024);
//   auto receiver = bus.subscribe();
//   bus.publish(event);
//   if (receiver.try_recv(event) == Recv::kLagged) reconcile(receiver.lagged());
//
// The ring keeps the newest `capacity` items. A slow receiver never blocks a publisher: it loses the oldest items, gets
// their exact count (kLagged, once per gap), and continues with the oldest item that is still kept. A receiver sees
// what is published after it subscribed. After close() receivers get what is left, then kClosed.
//
// Thread rule: FanoutRing from any thread; one Receiver from one thread at a time. A receiver may outlive the ring,
// whose destructor closes it. Items are copied out under the lock, so copying T must be cheap (such as a shared_ptr).
// A receiver unsubscribes by being destroyed; its waiter must not be registered then.
#pragma once

#include "concurrent/atomics_policy.h"
#include "concurrent/waiter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace hyperscale::concurrent {

enum class Recv : std::uint8_t { kItem, kLagged, kEmpty, kWaiting, kClosed };

template <typename T, typename Sync = StdSync>
class FanoutRing {
  struct State {
    explicit State(std::size_t capacity) : slots(capacity) {}
    std::vector<std::optional<T>> slots;
    std::uint64_t published = 0;  // also the sequence number of the next item
    WaitList waiters;
    bool closed = false;
  };
  struct Core {
    explicit Core(std::size_t slots) : capacity(slots), state(slots) {}
    const std::size_t capacity;
    mutable typename Sync::mutex mutex;
    typename Sync::template var<State> state;
  };

 public:
  class Receiver {
   public:
    Receiver(Receiver&&) noexcept = default;
    Receiver& operator=(Receiver&&) noexcept = default;

    // kItem, kLagged, kEmpty or kClosed; out holds a value only on kItem.
    Recv try_recv(std::optional<T>& out) {
      out.reset();
      typename Sync::lock_guard lock(core_->mutex);
      return next(core_->state.get(), out);
    }

    // As try_recv(), but registers the waiter and answers kWaiting instead of kEmpty.
    Recv recv_or_wait(std::optional<T>& out, Waiter& waiter) {
      out.reset();
      typename Sync::lock_guard lock(core_->mutex);
      State& state = core_->state.mut();
      const Recv result = next(state, out);
      if (result != Recv::kEmpty) return result;
      state.waiters.push_back(waiter);
      return Recv::kWaiting;
    }

    // True if the waiter was removed before being woken; see waiter.h for what false obliges to.
    bool cancel_wait(Waiter& waiter) {
      typename Sync::lock_guard lock(core_->mutex);
      return core_->state.mut().waiters.remove(waiter);
    }

    // How many items the latest kLagged stands for.
    std::uint64_t lagged() const { return lagged_; }

   private:
    friend class FanoutRing;
    Receiver(std::shared_ptr<Core> core, std::uint64_t cursor) : core_(std::move(core)), cursor_(cursor) {}

    Recv next(const State& state, std::optional<T>& out) {
      const std::uint64_t oldest = state.published - std::min<std::uint64_t>(state.published, state.slots.size());
      if (cursor_ < oldest) {
        lagged_ = oldest - cursor_;
        cursor_ = oldest;
        return Recv::kLagged;
      }
      if (cursor_ == state.published) return state.closed ? Recv::kClosed : Recv::kEmpty;
      out = state.slots[cursor_ % state.slots.size()];
      ++cursor_;
      return Recv::kItem;
    }

    std::shared_ptr<Core> core_;
    std::uint64_t cursor_;  // sequence number of the next item to receive
    std::uint64_t lagged_ = 0;
  };

  explicit FanoutRing(std::size_t capacity) : core_(std::make_shared<Core>(capacity)) {
    CHECK(capacity > 0, "a ring needs a capacity");
  }
  FanoutRing(const FanoutRing&) = delete;
  FanoutRing& operator=(const FanoutRing&) = delete;
  ~FanoutRing() { close(); }

  // False after close(). Wakes every waiting receiver.
  bool publish(T item) {
    std::optional<T> slot(std::move(item));  // after the swap: the overwritten item, destroyed outside the lock
    WaitList woken;
    {
      typename Sync::lock_guard lock(core_->mutex);
      State& state = core_->state.mut();
      if (state.closed) return false;
      std::swap(slot, state.slots[state.published % state.slots.size()]);
      ++state.published;
      woken.take_from(state.waiters);
    }
    woken.wake_all();
    return true;
  }

  Receiver subscribe() {
    typename Sync::lock_guard lock(core_->mutex);
    return Receiver(core_, core_->state.get().published);
  }

  // Idempotent; wakes every waiting receiver.
  void close() {
    WaitList woken;
    {
      typename Sync::lock_guard lock(core_->mutex);
      State& state = core_->state.mut();
      state.closed = true;
      woken.take_from(state.waiters);
    }
    woken.wake_all();
  }

  std::size_t capacity() const { return core_->capacity; }
  // How many receivers exist; a moment's view.
  std::size_t receivers() const { return static_cast<std::size_t>(core_.use_count()) - 1; }
  std::uint64_t published() const {
    typename Sync::lock_guard lock(core_->mutex);
    return core_->state.get().published;
  }

 private:
  std::shared_ptr<Core> core_;
};

}  // namespace hyperscale::concurrent
