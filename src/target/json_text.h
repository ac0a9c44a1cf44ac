// JSON strings from any bytes. Pure.
#pragma once

#include <string>
#include <string_view>

namespace hyperscale::target {

// Quotes and escapes. UTF-8 is copied; in text that is not UTF-8 each byte above 0x7f becomes that code point.
void append_json_string(std::string& out, std::string_view text);

}  // namespace hyperscale::target
