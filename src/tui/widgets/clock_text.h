// Formats running times in whole seconds, of stable width so that the screen does not jump: "7s", "2m06s", "3h05m".
// Pure function, any thread.
#pragma once

#include "base/time.h"

#include <string>

namespace hyperscale::tui {

std::string clock_text(Duration duration);

}  // namespace hyperscale::tui
