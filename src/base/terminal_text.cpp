#include "base/terminal_text.h"

#include "base/char_width.h"
#include "base/utf8.h"

#include <fmt/format.h>

namespace hyperscale {
namespace {

// Units in our own sentences stay readable: 213us.
constexpr char32_t kMicro = 0xb5;

std::string escaped(Utf8Char c) {
  if (c.code == '\n') return "\\n";
  if (c.code == '\r') return "\\r";
  if (c.code == '\t') return "\\t";
  if (!c.valid || c.code < 0x80) return fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c.code));
  return fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(c.code));
}

}  // namespace

std::string visible(std::string_view text, Glyphs glyphs) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Utf8Char next = first_char(text);
    if (glyphs == Glyphs::kAscii && next.valid && next.code == kMicro) {
      result += 'u';
      text.remove_prefix(next.bytes);
      continue;
    }
    const bool shown = next.valid && !is_invisible(next.code) && (glyphs == Glyphs::kUnicode || next.code < 0x80);
    result += shown ? std::string(text.substr(0, next.bytes)) : escaped(next);
    text.remove_prefix(next.bytes);
  }
  return result;
}

std::string visible_lines(std::string_view text, Glyphs glyphs) {
  std::string out;
  for (;;) {
    const std::size_t end = text.find('\n');
    out += visible(text.substr(0, end), glyphs);
    if (end == std::string_view::npos || end + 1 == text.size()) return out;
    out += "\n  ";
    text.remove_prefix(end + 1);
  }
}

std::size_t cells(std::string_view text) {
  std::size_t total = 0;
  while (!text.empty()) {
    const Utf8Char next = first_char(text);
    total += cells_of(next.code);
    text.remove_prefix(next.bytes);
  }
  return total;
}

std::string cut(std::string_view text, std::size_t width, Glyphs glyphs) {
  if (cells(text) <= width) return std::string(text);
  const std::string_view mark = glyphs == Glyphs::kAscii ? "..." : "…";
  const std::size_t mark_cells = cells(mark);
  if (width <= mark_cells) return std::string(width, '.');
  std::size_t used = 0, at = 0;
  for (;;) {
    const Utf8Char next = first_char(text.substr(at));
    if (used + cells_of(next.code) > width - mark_cells) break;
    used += cells_of(next.code);
    at += next.bytes;
  }
  return std::string(text.substr(0, at)) + std::string(mark);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width, Glyphs glyphs) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::size_t end = text.size();
    while (cells(text.substr(0, end)) > width) {
      const std::size_t blank = text.substr(0, end).find_last_of(' ');
      if (blank == std::string_view::npos || blank == 0) break;
      end = blank;
    }
    lines.push_back(cut(text.substr(0, end), width, glyphs));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return lines;
}

std::string left(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width - std::min(width, cells(text)), ' ');
}

std::string right(std::string_view text, std::size_t width) {
  return std::string(width - std::min(width, cells(text)), ' ') + std::string(text);
}

}  // namespace hyperscale
