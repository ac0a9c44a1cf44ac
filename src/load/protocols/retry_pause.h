// The pause before a retry: of a connection that was refused, of a request that a server gave back. Without a pause
// either would be a busy loop, and a storm of connections for the server.
#pragma once

#include "base/time.h"

#include <algorithm>
#include <cstdint>

namespace hyperscale::load {

inline constexpr Duration kFirstPause = 10ms;
inline constexpr int kPauseDoublingsMax = 7;  // 1.28 s

// After that many failures in a row; zero counts as one.
constexpr Duration retry_pause(std::uint32_t failures) {
  const auto doublings = static_cast<int>(std::min(std::max(failures, 1U) - 1, std::uint32_t{kPauseDoublingsMax}));
  return kFirstPause * (1 << doublings);
}

}  // namespace hyperscale::load
