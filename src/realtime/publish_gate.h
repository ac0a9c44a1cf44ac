// PublishGate: decides whether a finished tick may still be published.
//
// A shutdown that stopped waiting for a tick closes the gate; the tick, if it ends later, is rolled back. Check and
// publication are one step under a lock, which the engine holds for the few stores of a publication. Thread rule: any
// thread.
#pragma once

#include <mutex>

namespace hyperscale::realtime {

class PublishGate {
 public:
  // Runs publish and returns true; once closed, returns false without running it.
  template <typename Publish>
  bool pass(Publish publish) {
    const std::lock_guard lock(mutex_);
    if (closed_) return false;
    publish();
    return true;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }

 private:
  std::mutex mutex_;
  bool closed_ = false;
};

}  // namespace hyperscale::realtime
