// The request target: its path and its query. Pure functions over text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hyperscale::runtime {

// The path of an origin-form or absolute-form target; nothing for a target that is neither ("*", "host:port", empty).
// Percent escapes stay as they are: "/%61dmin" is another path than "/admin", for routing and for access checks alike.
std::optional<std::string_view> path_of_target(std::string_view target);

// Host and port of an absolute-form target; nothing for any other.
std::optional<std::string_view> authority_of_target(std::string_view target);

// The first parameter of that name, decoded. A broken percent escape is kept as text.
std::optional<std::string> query_parameter(std::string_view target, std::string_view key);

// '+' is a space and %XX a byte; anything else is itself.
std::string percent_decoded(std::string_view text);

}  // namespace hyperscale::runtime
