// The date of a cookie's Expires attribute: whatever servers write, read by the algorithm of RFC 6265 5.1.1.
// Pure; any thread.
#pragma once

#include "base/time.h"

#include <optional>
#include <string_view>

namespace hyperscale::load {

// Nothing when a part is missing or no such moment exists. Dates beyond what WallTime can hold are its ends.
std::optional<WallTime> parse_cookie_date(std::string_view text);

}  // namespace hyperscale::load
