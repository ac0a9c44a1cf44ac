// Epochs: the numbers of published generations, and the counter that only the tick engine advances.
//
// Epoch 0 means "nothing published yet"; the first generation has epoch 1. The counter follows the ring: a generation
// gets its epoch before it is pushed and the counter is advanced afterwards, so a reader that sees the new count finds
// the generation. Thread rule: advance() from the engine only, current() from any thread. At 60 generations a second 64
// bits last for billions of years; it does not wrap.
#pragma once

#include "concurrent/atomics_policy.h"

#include <atomic>
#include <cstdint>

namespace hyperscale::realtime {

using Epoch = std::uint64_t;

inline constexpr Epoch kNothingPublished = 0;
inline constexpr Epoch kEpochUnpinned = ~Epoch{0};

template <typename Sync = concurrent::StdSync>
class EpochCounter {
 public:
  Epoch advance() { return value_.fetch_add(1, Sync::kRelease) + 1; }
  Epoch current() const { return value_.load(Sync::kAcquire); }

 private:
  typename Sync::template atomic<Epoch> value_{kNothingPublished};
};

}  // namespace hyperscale::realtime
