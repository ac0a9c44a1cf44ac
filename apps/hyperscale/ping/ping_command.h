// `hyperscale ping tcp|smtp|ftp`: connects to a server by the lookup of its kind and prints the time of each phase.
// Call on the main thread.
#pragma once

#include "apps/hyperscale/ping/ping_options.h"

#include <string_view>

namespace hyperscale::app {

// Returns 0: every ping got the expected answer; 1: one did not, or the name is unknown; 2: wrong options.
// REQUIRES: `kind` is the name of one of these kinds.
int ping_command(std::string_view kind, const PingOptions& options);

}  // namespace hyperscale::app
