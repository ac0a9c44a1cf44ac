// `hyperscale ping tcp|smtp|ftp`: a server reached by the lookup of its kind, and how long each part took. Call on the
// main thread.
#pragma once

#include "apps/hyperscale/ping/ping_options.h"

#include <string_view>

namespace hyperscale::app {

// 0: every ping was answered as it should; 1: one was not, an unknown name included; 2: wrong options.
// REQUIRES: `kind` is the name of one of these kinds.
int ping_command(std::string_view kind, const PingOptions& options);

}  // namespace hyperscale::app
