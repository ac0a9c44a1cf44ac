#include "realtime/snapshot/coarse_clock.h"

#include <ctime>

namespace hyperscale::realtime {

MonoTime monotonic_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return MonoTime::from_ns(std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec);
}

}  // namespace hyperscale::realtime
