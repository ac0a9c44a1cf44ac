// The one place where the node reads clocks. Cores and policies get the values passed in.
#pragma once

#include "base/time.h"

#include <chrono>

namespace hyperscale::runtime {

inline MonoTime mono_now() {
  return MonoTime::from_ns(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

inline WallTime wall_now() {
  return WallTime::from_ns(std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

// For timers of the event loop, which use steady_clock.
inline std::chrono::steady_clock::time_point to_steady(MonoTime time) {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(time.ns()));
}

}  // namespace hyperscale::runtime
