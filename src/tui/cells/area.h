// Area: a rectangle of cells. Size: dimensions of a screen. Plain values, any thread.
//
// Cut areas stay inside the area they come from; an empty area means "does not fit" and is not drawn.
#pragma once

#include <algorithm>

namespace hyperscale::tui {

struct Size {
  int columns = 0, rows = 0;
  bool operator==(const Size&) const = default;
};

struct Area {
  int x = 0, y = 0, width = 0, height = 0;

  bool is_empty() const { return width <= 0 || height <= 0; }
  bool contains(int column, int row) const { return column >= x && column < x + width && row >= y && row < y + height; }
  Area intersection(Area other) const {
    const int left = std::max(x, other.x), top = std::max(y, other.y);
    const int right = std::min(x + width, other.x + other.width), bottom = std::min(y + height, other.y + other.height);
    return {left, top, std::max(0, right - left), std::max(0, bottom - top)};
  }
  Area padded(int horizontal, int vertical) const {
    return intersection({x + horizontal, y + vertical, width - 2 * horizontal, height - 2 * vertical});
  }
  // Removes up to `rows` rows from the top or the bottom and returns them.
  Area take_top(int rows) {
    const int taken = std::clamp(rows, 0, std::max(0, height));
    const Area top{x, y, width, taken};
    y += taken;
    height -= taken;
    return top;
  }
  Area take_bottom(int rows) {
    const int taken = std::clamp(rows, 0, std::max(0, height));
    height -= taken;
    return {x, y + height, width, taken};
  }
  bool operator==(const Area&) const = default;
};

}  // namespace hyperscale::tui
