// UTF-8, one character at a time, for text of unknown origin: names, addresses and bodies that a server sent.
//
// Pure functions, any thread. Overlong forms, surrogates and values above U+10FFFF are not valid; of an invalid
// sequence one byte is consumed, so that reading always progresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hyperscale {

struct Utf8Char {
  char32_t code = 0;  // the byte itself when not valid
  std::uint8_t bytes = 1;
  bool valid = true;
};

// REQUIRES: text is not empty.
Utf8Char first_char(std::string_view text);

// Characters that move the cursor, hide or reorder text beside them: controls, bidirectional marks, zero width.
bool is_invisible(char32_t code);

// The same text with each byte that is not valid UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

}  // namespace hyperscale
