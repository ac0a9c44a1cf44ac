// Screen: a grid of cells, each with a glyph and a role: the content of a frame, independent of the terminal.
//
// Plain value, any thread. A wide glyph fills two cells and is never split: overwriting one half blanks the other.
// Writes outside the grid are ignored. A cell never holds a glyph that a terminal would interpret (control, invisible,
// joining).
#pragma once

#include "tui/cells/area.h"
#include "tui/cells/role.h"

#include <span>
#include <string>
#include <vector>

namespace hyperscale::tui {

enum class CellPart : std::uint8_t { kWhole, kLeftHalf, kRightHalf };

struct Cell {
  char32_t glyph = U' ';
  Role role = Role::kText;
  CellPart part = CellPart::kWhole;
  bool operator==(const Cell&) const = default;
};

class Screen {
 public:
  Screen() = default;
  explicit Screen(Size size);

  Size size() const { return size_; }
  Area area() const { return {0, 0, size_.columns, size_.rows}; }
  const Cell& at(int column, int row) const { return cells_[index(column, row)]; }
  std::span<const Cell> row(int row) const;

  // Resizes and blanks all cells.
  void reset(Size size);
  // Returns the number of cells used: 0 for a glyph that joins another or does not fit, 2 for a wide one. Forbidden
  // glyphs become '?'.
  int put(int column, int row, char32_t glyph, Role role);

  // The rows as text, without trailing blanks, each with a newline.
  std::string text() const;
  bool operator==(const Screen&) const = default;

 private:
  std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(size_.columns) + static_cast<std::size_t>(column);
  }
  void blank_other_half(int column, int row);

  Size size_;
  std::vector<Cell> cells_;
};

void append_utf8(std::string& out, char32_t glyph);

}  // namespace hyperscale::tui
