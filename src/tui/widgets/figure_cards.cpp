#include "tui/widgets/figure_cards.h"

#include "tui/sections.h"

namespace hyperscale::tui {
namespace {

constexpr int kGap = 2;

}  // namespace

void draw_cards(Canvas canvas, std::span<const Figure> figures) {
  const std::vector<SectionWidth> widths(figures.size(), SectionWidth::automatic(kCardWidthMin));
  const std::vector<Area> areas = sections({0, 0, canvas.width(), kCardRows}, widths, kGap);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    Canvas card = canvas.part(areas[i]);
    card.text(0, 0, figures[i].label, Role::kDim);
    card.text(0, 1, figures[i].value, figures[i].role);
    card.text(0, 2, figures[i].note, Role::kDim);
  }
}

void draw_figure_line(Canvas canvas, std::span<const Figure> figures) {
  int x = 0;
  for (const Figure& figure : figures) {
    const int label = text_cells(figure.label, canvas.glyphs());
    if (x + label + 1 + text_cells(figure.value, canvas.glyphs()) > canvas.width()) return;
    x += canvas.text(x, 0, figure.label, Role::kDim) + 1;
    x += canvas.text(x, 0, figure.value, figure.role) + kGap + 1;
  }
}

}  // namespace hyperscale::tui
