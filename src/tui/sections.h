// Sections: areas side by side in a row, each of a fixed width or sharing what is left. Pure function, any thread.
#pragma once

#include "tui/cells/area.h"

#include <span>
#include <vector>

namespace hyperscale::tui {

struct SectionWidth {
  int cells = 0;  // fixed, or the least that an automatic one is worth showing with
  bool grows = false;

  static SectionWidth fixed(int cells) { return {cells, false}; }
  static SectionWidth automatic(int least = 1) { return {least, true}; }
};

// One area per width, from left to right, `gap` columns apart. When not all fit, the last ones are hidden: their areas
// are empty and the others share the room.
std::vector<Area> sections(Area row, std::span<const SectionWidth> widths, int gap);

}  // namespace hyperscale::tui
