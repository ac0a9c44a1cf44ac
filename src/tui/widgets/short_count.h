// Formats counts and rates for narrow columns: "950", "12.5k", "1.2M". Pure function, any thread.
#pragma once

#include <string>

namespace hyperscale::tui {

std::string short_count(double value);

}  // namespace hyperscale::tui
