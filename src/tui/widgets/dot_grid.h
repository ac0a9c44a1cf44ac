// DotGrid: a grid with several dots per cell, for plots: braille has 2 x 4, quarter blocks 2 x 2, ASCII 1 x 2.
//
// Single-threaded value. Dots outside are ignored. A cell has the role of the dot that was set last.
#pragma once

#include "tui/cells/canvas.h"

#include <cstdint>
#include <vector>

namespace hyperscale::tui {

enum class Ink : std::uint8_t { kBraille, kBlocks, kAscii };

class DotGrid {
 public:
  DotGrid(int columns, int rows, Ink ink);

  int dots_wide() const { return columns_ * dots_per_column_; }
  int dots_high() const { return rows_ * dots_per_row_; }
  // (0, 0) is the lowest dot on the left.
  void set(int x, int y, Role role);
  void draw(Canvas canvas) const;

 private:
  struct Spot {
    std::uint8_t dots = 0;
    Role role = Role::kText;
  };
  int columns_, rows_;
  Ink ink_;
  int dots_per_column_, dots_per_row_;
  std::vector<Spot> spots_;
};

}  // namespace hyperscale::tui
