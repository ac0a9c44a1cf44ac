// Progress lines for output that is not a terminal, such as CI logs: one every kCiInterval. ASCII only, so that every
// log shows them alike; the summary follows at the end. Pure functions, any thread.
#pragma once

#include "live/live_view.h"

#include <string>

namespace hyperscale::tui {

inline constexpr Duration kCiInterval = 10s;

// "progress 12.0s/30.0s 40% requests=1,200,000 rate=100,330/s errors=12 (<0.01%) p50=471us p99=1.24ms users=50
// left=18.0s", without a newline.
std::string ci_line(const live::LiveView& view);

}  // namespace hyperscale::tui
