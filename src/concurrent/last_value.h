// LastValue: one current value with a version; readers see the newest, intermediate values may be skipped.
//
//   auto seen = stop.get();                                     // value and the version it belongs to
//   if (!stop.wait_changed(seen.version, waiter)) sleep();      // true: it has changed already, do not sleep
//
// It is a level, not an edge: a reader after set() still sees the value, and a waiter passes the version it has seen,
// which is compared in the same step that registers it. No wake-up is missed in any order.
//
// Thread rule: every member from any thread. Copying T must be cheap; it happens under the lock.
// Invariant: the version grows by one with each set() and starts at 0 with the initial value.
#pragma once

#include "concurrent/atomics_policy.h"
#include "concurrent/waiter.h"

#include <cstdint>
#include <utility>

namespace hyperscale::concurrent {

template <typename T, typename Sync = StdSync>
class LastValue {
 public:
  struct Versioned {
    T value;
    std::uint64_t version = 0;
  };

  explicit LastValue(T initial) : state_(std::move(initial)) {}
  LastValue(const LastValue&) = delete;
  LastValue& operator=(const LastValue&) = delete;

  // Wakes every waiter, also when the value is equal to the one before.
  void set(T value) {
    WaitList woken;
    {
      Lock lock(mutex_);
      State& state = state_.mut();
      std::swap(state.current.value, value);  // the old value is destroyed outside the lock
      ++state.current.version;
      woken.take_from(state.waiters);
    }
    woken.wake_all();
  }

  Versioned get() const {
    Lock lock(mutex_);
    return state_.get().current;
  }

  // True at once, without registering, if the version is no longer `seen`; else registers the waiter for the next
  // set().
  bool wait_changed(std::uint64_t seen, Waiter& waiter) {
    Lock lock(mutex_);
    State& state = state_.mut();
    if (state.current.version != seen) return true;
    state.waiters.push_back(waiter);
    return false;
  }

  // True if the waiter was removed before being woken; see waiter.h for what false obliges to.
  bool cancel_wait(Waiter& waiter) {
    Lock lock(mutex_);
    return state_.mut().waiters.remove(waiter);
  }

 private:
  using Lock = typename Sync::lock_guard;

  struct State {
    explicit State(T initial) : current{std::move(initial), 0} {}
    Versioned current;
    WaitList waiters;
  };

  mutable typename Sync::mutex mutex_;
  typename Sync::template var<State> state_;
};

}  // namespace hyperscale::concurrent
