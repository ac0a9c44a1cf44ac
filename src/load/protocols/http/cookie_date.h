// Parses the date of a cookie's Expires attribute, in any form that the algorithm of RFC 6265 5.1.1 accepts.
// Pure; any thread.
#pragma once

#include "base/time.h"

#include <optional>
#include <string_view>

namespace hyperscale::load {

// Empty when a part is missing or no such moment exists. Dates beyond the range of WallTime are clamped to its ends.
std::optional<WallTime> parse_cookie_date(std::string_view text);

}  // namespace hyperscale::load
