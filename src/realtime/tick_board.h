// TickBoard: lets callers wait for a future tick.
//
// The engine announces every publication, the end of ticking and the shutdown. Thread rule: any thread.
#pragma once

#include "base/time.h"
#include "realtime/snapshot/epoch.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace hyperscale::realtime {

class TickBoard {
 public:
  enum class Ticking : std::uint8_t { kYes, kDisabled, kShutDown };

  void published(Epoch tick) {
    const std::lock_guard lock(mutex_);
    tick_ = tick;
    changed_.notify_all();
  }
  // The state only becomes more final.
  void stop(Ticking ticking) {
    const std::lock_guard lock(mutex_);
    if (ticking > ticking_) ticking_ = ticking;
    changed_.notify_all();
  }

  struct Waited {
    bool there = false;
    Ticking ticking = Ticking::kYes;
  };
  Waited wait_for(Epoch tick, Duration at_most) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, at_most, [&] { return tick_ >= tick || ticking_ != Ticking::kYes; });
    return Waited{tick_ >= tick, ticking_};
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Epoch tick_ = kNothingPublished;
  Ticking ticking_ = Ticking::kYes;
};

}  // namespace hyperscale::realtime
