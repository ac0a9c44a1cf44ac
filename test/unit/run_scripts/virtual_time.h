// VirtualTime: the monotonic clock and the waiting of this test program, replaced at link time (clock_gettime,
// epoll_wait, timerfd). The loop under test never sleeps: when it would wait, time jumps to its next timer or to the
// next event of the script, whichever comes first.
//
// Thread rule: one thread; the program has no other while a script runs.
#pragma once

#include "base/time.h"

#include <functional>

namespace hyperscale::virtual_time {

inline constexpr MonoTime kZero = MonoTime::from_ns(1'000'000'000'000);

// `next_event` is the time of the next event, or max(); `happen` lets it happen. Called when the loop has nothing to
// do.
void begin(std::function<MonoTime()> next_event, std::function<void()> happen);
void end();
Duration since_begin();
// Time goes on and nothing runs meanwhile.
void stand_still(Duration time);

}  // namespace hyperscale::virtual_time
