#include "tui/sections.h"

namespace hyperscale::tui {
namespace {

int least_width(std::span<const SectionWidth> widths, int gap) {
  int total = 0;
  for (const SectionWidth& width : widths) total += width.cells + gap;
  return total - gap;
}

}  // namespace

std::vector<Area> sections(Area row, std::span<const SectionWidth> widths, int gap) {
  std::vector<Area> areas(widths.size());
  std::span<const SectionWidth> shown = widths;
  while (!shown.empty() && least_width(shown, gap) > row.width) shown = shown.first(shown.size() - 1);
  if (shown.empty()) return areas;
  int spare = row.width - least_width(shown, gap);
  auto growing = static_cast<int>(std::ranges::count_if(shown, &SectionWidth::grows));
  int x = row.x;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    int width = shown[i].cells;
    if (shown[i].grows) {
      const int share = spare / growing--;
      width += share;
      spare -= share;
    }
    areas[i] = {x, row.y, width, row.height};
    x += width + gap;
  }
  return areas;
}

}  // namespace hyperscale::tui
