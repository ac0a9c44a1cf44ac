// Sections: areas side by side in a row, of fixed width or sharing the remaining width. Pure function, any thread.
#pragma once

#include "tui/cells/area.h"

#include <span>
#include <vector>

namespace hyperscale::tui {

struct SectionWidth {
  int cells = 0;  // fixed width, or the minimum of an automatic one
  bool grows = false;

  static SectionWidth fixed(int cells) { return {cells, false}; }
  static SectionWidth automatic(int least = 1) { return {least, true}; }
};

// One area per width, from left to right, `gap` columns apart. If not all fit, the last ones are hidden: their areas
// are empty and the others share the width.
std::vector<Area> sections(Area row, std::span<const SectionWidth> widths, int gap);

}  // namespace hyperscale::tui
