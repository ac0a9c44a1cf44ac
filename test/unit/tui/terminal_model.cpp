#include "terminal_model.h"

#include "base/char_width.h"
#include "base/utf8.h"

#include <charconv>

#include <fmt/format.h>

namespace hyperscale::tui {
namespace {

int number(std::string_view text) {
  int value = 1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

// REQUIRES: bytes begin with an escape. Returns the length of the sequence.
std::size_t TerminalModel::sequence(std::string_view bytes) {
  const std::size_t end = bytes.find_first_not_of("0123456789;?", 2);
  if (bytes.size() < 3 || bytes[1] != '[' || end == std::string_view::npos) {
    fail("a sequence that is not complete");
    return bytes.size();
  }
  const std::string_view inside = bytes.substr(2, end - 2), whole = bytes.substr(0, end + 1);
  switch (bytes[end]) {
    case 'm':
      look_ = whole;
      break;
    case 'C':
      column_ += number(inside);
      break;
    case 'H':
      row_ = number(inside) - 1;
      column_ = number(inside.substr(inside.find(';') + 1)) - 1;
      break;
    case 'J':
      std::ranges::fill(glyphs_, U' ');
      std::ranges::fill(looks_, std::string());
      break;
    case 'h':
    case 'l':
      if (inside != "?2026") fail(fmt::format("mode {}", inside));
      if (updating_ == (bytes[end] == 'h')) fail("updates inside each other");
      updating_ = bytes[end] == 'h';
      break;
    default:
      fail(fmt::format("sequence {}", whole.substr(1)));
  }
  return end + 1;
}

void TerminalModel::glyph(char32_t code) {
  const auto wide = static_cast<int>(cells_of(code));
  if (is_invisible(code) || wide == 0) return fail(fmt::format("character {:#x}", static_cast<unsigned>(code)));
  if (!updating_) fail("a glyph outside of an update");
  if (column_ < 0 || row_ < 0 || row_ >= size_.rows || column_ + wide > size_.columns) {
    return fail(fmt::format("written at {},{}", column_, row_));
  }
  ++written_;
  const std::size_t at = index(column_, row_);
  // Half of a wide glyph that is overwritten leaves a blank.
  if (glyphs_[at] == 0) glyphs_[at - 1] = U' ';
  const std::size_t after = at + static_cast<std::size_t>(wide);
  if (after < glyphs_.size() && column_ + wide < size_.columns && glyphs_[after] == 0) glyphs_[after] = U' ';
  glyphs_[at] = code;
  looks_[at] = look_;
  if (wide == 2) {
    glyphs_[at + 1] = 0;
    looks_[at + 1] = look_;
  }
  column_ += wide;
}

void TerminalModel::apply(std::string_view bytes) {
  while (!bytes.empty()) {
    if (bytes[0] == '\x1b') {
      bytes.remove_prefix(sequence(bytes));
      continue;
    }
    const Utf8Char next = first_char(bytes);
    if (!next.valid) fail("invalid UTF-8");
    glyph(next.code);
    bytes.remove_prefix(next.bytes);
  }
  if (updating_) fail("an update that does not end");
}

std::string TerminalModel::text() const {
  std::string text;
  for (int y = 0; y < size_.rows; ++y) {
    for (int x = 0; x < size_.columns; ++x) {
      if (const char32_t code = glyphs_[index(x, y)]; code != 0) append_utf8(text, code);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace hyperscale::tui
