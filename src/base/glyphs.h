// Glyphs: whether text may use characters beyond ASCII. Plain value.
#pragma once

#include <cstdint>

namespace hyperscale {

enum class Glyphs : std::uint8_t { kUnicode, kAscii };

}  // namespace hyperscale
