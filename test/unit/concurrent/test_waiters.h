// Waiters for tests: CountingWaiter records wake-ups, ThreadWaiter lets a plain thread sleep until it is woken.
#pragma once

#include "concurrent/waiter.h"

#include <condition_variable>
#include <mutex>

namespace hyperscale::concurrent {

class CountingWaiter final : public Waiter {
 public:
  void wake() noexcept override { ++wakes; }
  int wakes = 0;
};

class ThreadWaiter final : public Waiter {
 public:
  void wake() noexcept override {
    std::lock_guard lock(mutex_);  // notified under the lock: the owner may destroy this as soon as it is released
    woken_ = true;
    condition_.notify_one();
  }
  // Returns after one wake(); ready for the next registration.
  void wait() {
    std::unique_lock lock(mutex_);
    condition_.wait(lock, [this] { return woken_; });
    woken_ = false;
  }

 private:
  std::mutex mutex_;
  std::condition_variable condition_;
  bool woken_ = false;
};

}  // namespace hyperscale::concurrent
