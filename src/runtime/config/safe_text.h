// Untrusted text: checked, shown on one line, and written into TOML.
//
// Thread rule: pure functions. Failure: none; any bytes are accepted.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hyperscale::runtime {

inline constexpr std::size_t kShownBytesMax = 200;

// Valid UTF-8 without control characters.
bool is_plain_text(std::string_view text);
// For messages: control characters and invalid bytes as \xNN, cut after kShownBytesMax with "...".
std::string printable(std::string_view text);
// A TOML basic string. REQUIRES: is_plain_text(text).
std::string toml_quoted(std::string_view text);

}  // namespace hyperscale::runtime
