// Converts between UTF-8 of the host and UTF-16 of scripts, by the UTF-8 decoder and encoder of the Encoding Standard.
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::workflow {

struct DecodedUtf8 {
  std::vector<char16_t> units;             // U+FFFD for each maximal incomplete sequence
  std::optional<std::size_t> first_error;  // offset of the bytes after the first of these
};

DecodedUtf8 decode_utf8(std::string_view bytes);

// Writes U+FFFD for each unpaired surrogate.
std::string encode_utf8(std::span<const char16_t> units);

}  // namespace hyperscale::workflow
