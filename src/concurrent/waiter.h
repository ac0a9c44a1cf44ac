// Waiter: one-shot registration for a wake-up, and WaitList, the list of them that a channel keeps under its lock.
//
// A coroutine or thread that finds nothing to do registers its Waiter with a channel and sleeps. Contract:
//   - A registered waiter is woken exactly once, outside the channel's lock, or removed by the channel's cancel_wait().
//   - cancel_wait() returns true if the waiter was removed before being woken. If it returns false, wake() was called
//     or is about to be: the owner must wait for that call before it destroys or registers the waiter again.
//   - wake() may run on any thread. It must not block and must not touch the waiter after it has released the owner.
//   - A waiter is registered with at most one channel at a time.
// Thread rule: WaitList is guarded by its channel's lock. A list filled by take_from() belongs to the caller alone.
#pragma once

#include "base/check.h"

#include <utility>

namespace hyperscale::concurrent {

class WaitList;

class Waiter {
 public:
  Waiter() = default;
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  virtual void wake() noexcept = 0;

 protected:
  // Not virtual: no waiter is destroyed through this type. A waiter that a channel still lists would dangle.
  ~Waiter() { CHECK(!listed_, "a waiter was destroyed while registered"); }

 private:
  friend class WaitList;
  Waiter* next_ = nullptr;
  Waiter* previous_ = nullptr;
  bool listed_ = false;
};

// First registered, first woken.
class WaitList {
 public:
  WaitList() = default;
  WaitList(const WaitList&) = delete;
  WaitList& operator=(const WaitList&) = delete;
  ~WaitList() { CHECK(first_ == nullptr, "a channel was destroyed while a waiter is registered"); }

  bool empty() const { return first_ == nullptr; }

  // REQUIRES: the waiter is not registered anywhere.
  void push_back(Waiter& waiter) {
    CHECK(!waiter.listed_, "a waiter was registered twice");
    waiter.listed_ = true;
    waiter.previous_ = last_;
    waiter.next_ = nullptr;
    (last_ == nullptr ? first_ : last_->next_) = &waiter;
    last_ = &waiter;
  }

  // The waiter to wake, or null. Once unlisted, the caller owes it a wake().
  Waiter* pop_front() {
    Waiter* const waiter = first_;
    if (waiter != nullptr) unlink(*waiter);
    return waiter;
  }

  // True if the waiter was still listed.
  bool remove(Waiter& waiter) {
    if (!waiter.listed_) return false;
    unlink(waiter);
    return true;
  }

  // Unlists every waiter of the channel's list into this one, which is empty; the caller wakes them with wake_all()
  // after it has released the channel's lock.
  void take_from(WaitList& channel) {
    for (Waiter* waiter = channel.first_; waiter != nullptr; waiter = waiter->next_) waiter->listed_ = false;
    first_ = std::exchange(channel.first_, nullptr);
    last_ = std::exchange(channel.last_, nullptr);
  }

  void wake_all() {
    Waiter* waiter = std::exchange(first_, nullptr);
    last_ = nullptr;
    while (waiter != nullptr) {
      Waiter* const next = waiter->next_;  // a woken waiter may be gone
      waiter->wake();
      waiter = next;
    }
  }

 private:
  void unlink(Waiter& waiter) {
    (waiter.previous_ == nullptr ? first_ : waiter.previous_->next_) = waiter.next_;
    (waiter.next_ == nullptr ? last_ : waiter.next_->previous_) = waiter.previous_;
    waiter.listed_ = false;
  }

  Waiter* first_ = nullptr;
  Waiter* last_ = nullptr;
};

}  // namespace hyperscale::concurrent
