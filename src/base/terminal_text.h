// Untrusted text, escaped and measured for a terminal: nothing in it moves the cursor, changes colours or hides.
//
// Pure functions, any thread. Widths are in cells: wide East Asian characters and pictographs take two.
#pragma once

#include "base/glyphs.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale {

// Control and invisible characters and invalid bytes become visible: "\n", "\x1b", "\u{202e}". With kAscii everything
// beyond ASCII does.
std::string visible(std::string_view text, Glyphs glyphs);

// The same for a text of several lines. Lines after the first are indented: nothing in it passes for a line of its own,
// such as a command to a build server.
std::string visible_lines(std::string_view text, Glyphs glyphs);

// REQUIRES: text went through visible().
std::size_t cells(std::string_view text);

// At most `width` cells; what was cut is marked by an ellipsis.
std::string cut(std::string_view text, std::size_t width, Glyphs glyphs);

// Lines of at most `width` cells, broken between words; a word that is wider is cut.
std::vector<std::string> wrapped(std::string_view text, std::size_t width, Glyphs glyphs);

// Filled up with blanks to `width` cells; longer text stays as it is.
std::string left(std::string_view text, std::size_t width);
std::string right(std::string_view text, std::size_t width);

}  // namespace hyperscale
