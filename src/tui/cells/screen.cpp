#include "tui/cells/screen.h"

#include "base/char_width.h"
#include "base/check.h"
#include "base/utf8.h"

namespace hyperscale::tui {

Screen::Screen(Size size) {
  reset(size);
}

void Screen::reset(Size size) {
  CHECK(size.columns >= 0 && size.rows >= 0, "{} x {}", size.columns, size.rows);
  size_ = size;
  cells_.assign(static_cast<std::size_t>(size.columns) * static_cast<std::size_t>(size.rows), Cell{});
}

std::span<const Cell> Screen::row(int row) const {
  return std::span(cells_).subspan(index(0, row), static_cast<std::size_t>(size_.columns));
}

void Screen::blank_other_half(int column, int row) {
  const CellPart part = at(column, row).part;
  if (part == CellPart::kWhole) return;
  Cell& other = cells_[index(part == CellPart::kLeftHalf ? column + 1 : column - 1, row)];
  other = {.role = other.role};
}

int Screen::put(int column, int row, char32_t glyph, Role role) {
  if (!area().contains(column, row)) return 0;
  if (is_invisible(glyph) || glyph > 0x10ffff || (glyph >= 0xd800 && glyph <= 0xdfff)) glyph = U'?';
  const auto wide = static_cast<int>(cells_of(glyph));
  if (wide == 0 || column + wide > size_.columns) return 0;
  for (int half = 0; half < wide; ++half) blank_other_half(column + half, row);
  cells_[index(column, row)] = {glyph, role, wide == 2 ? CellPart::kLeftHalf : CellPart::kWhole};
  if (wide == 2) cells_[index(column + 1, row)] = {U' ', role, CellPart::kRightHalf};
  return wide;
}

std::string Screen::text() const {
  std::string text;
  for (int y = 0; y < size_.rows; ++y) {
    for (const Cell& cell : row(y)) {
      if (cell.part != CellPart::kRightHalf) append_utf8(text, cell.glyph);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

void append_utf8(std::string& out, char32_t glyph) {
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | ((glyph >> shift) & 0x3f)); };
  if (glyph < 0x80) {
    out += static_cast<char>(glyph);
  } else if (glyph < 0x800) {
    out += static_cast<char>(0xc0 | (glyph >> 6));
    tail(0);
  } else if (glyph < 0x10000) {
    out += static_cast<char>(0xe0 | (glyph >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | (glyph >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace hyperscale::tui
