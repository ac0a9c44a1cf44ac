// Percent escapes of RFC 3986: "a b" <-> "a%20b". Pure functions; any thread.
#pragma once

#include "base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace hyperscale::plan {

// Everything but letters, digits and "-._~" becomes an escape, with capital digits.
std::string percent_encode(std::string_view text);
// Adds one byte as its escape.
void append_escape(std::string& to, char byte);
// Decodes escapes to bytes; fails with kInvalidArgument on a broken one. "+" stays "+".
Result<std::string> percent_decode(std::string_view text);
// Position of the first "%" without two hexadecimal digits after it.
std::optional<std::size_t> broken_escape(std::string_view text);

}  // namespace hyperscale::plan
