// Whole seconds as a screen shows time that passes, always of the same width class so that nothing jumps: "7s",
// "2m06s", "3h05m". Pure function, any thread.
#pragma once

#include "base/time.h"

#include <string>

namespace hyperscale::tui {

std::string clock_text(Duration duration);

}  // namespace hyperscale::tui
