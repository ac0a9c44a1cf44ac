// CoarseClock: one word with a recent monotonic time, for code where reading the real clock would cost more than the
// work.
//
// Pins and unpins are stamped from this word. The engine refreshes it at every tick and while it waits, a worker when
// it starts a request; so a stamp is at most as old as its request. Thread rule: any thread. Invariant: the word never
// goes back, even if a refresher was delayed between reading the clock and storing.
#pragma once

#include "base/time.h"
#include "concurrent/atomics_policy.h"

#include <atomic>
#include <cstdint>
#include <functional>

namespace hyperscale::realtime {

// Monotonic; never the wall clock. Passed at construction, so that tests control time.
using ClockFunction = std::function<MonoTime()>;

MonoTime monotonic_now();

class CoarseClock {
 public:
  std::int64_t now_ns() const { return now_ns_.load(std::memory_order_relaxed); }

  void refresh(MonoTime now) {
    std::int64_t seen = now_ns_.load(std::memory_order_relaxed);
    while (seen < now.ns() && !now_ns_.compare_exchange_weak(seen, now.ns(), std::memory_order_relaxed)) {
    }
  }

 private:
  alignas(concurrent::kCacheLineBytes) std::atomic<std::int64_t> now_ns_{0};
};

}  // namespace hyperscale::realtime
