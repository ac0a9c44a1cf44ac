#include "plan/arguments/text_position.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace hyperscale::plan {

std::string position_text(std::string_view text, std::size_t offset) {
  std::size_t line = 1;
  std::size_t column = 1;
  for (std::size_t at = 0; at < std::min(offset, text.size()); ++at) {
    const bool ends_line = text[at] == '\n' || (text[at] == '\r' && text.substr(at + 1, 1) != "\n");
    if (ends_line) {
      ++line;
      column = 1;
    } else if ((static_cast<std::uint8_t>(text[at]) & 0xc0) != 0x80) {
      ++column;
    }
  }
  return fmt::format("{}:{}", line, column);
}

}  // namespace hyperscale::plan
