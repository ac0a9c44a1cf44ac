// Between UTF-8 of the host and the UTF-16 of script texts, by the UTF-8 decoder and encoder of the Encoding Standard.
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
  std::vector<char16_t> units;             // U+FFFD for each longest start of a character that does not go on
  std::optional<std::size_t> first_error;  // where the bytes after the first of these begin
};

DecodedUtf8 decode_utf8(std::string_view bytes);

// With U+FFFD for each half of a surrogate pair that stands alone.
std::string encode_utf8(std::span<const char16_t> units);

}  // namespace hyperscale::workflow
