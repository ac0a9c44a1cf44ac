// ModelWaiter: a thread of a model sleeps in wait() until a channel wakes it. A wake-up that never comes is a deadlock
// for Relacy; a second wake-up for one registration is a failed assertion.
#pragma once

#include "concurrent/waiter.h"
#include "relacy_sync.h"

namespace hyperscale::models {

class ModelWaiter final : public concurrent::Waiter {
 public:
  ModelWaiter() { event_.init(false, false, $); }
  ~ModelWaiter() { event_.deinit($); }

  void wake() noexcept override {
    RL_ASSERT(!woken_);
    woken_ = true;
    event_.set($);
  }
  void wait() {
    event_.wait(false, false, $);
    RL_ASSERT(woken_);
    woken_ = false;
  }
  // The classic mistake, for planted bugs: forgetting a signal that may have come since the registration.
  void forget_then_wait() {
    woken_ = false;
    event_.reset($);
    wait();
  }

 private:
  rl::generic_event event_;
  bool woken_ = false;  // for the assertions only; Relacy runs one thread at a time
};

}  // namespace hyperscale::models
