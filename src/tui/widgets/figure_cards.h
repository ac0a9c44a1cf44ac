// FigureCards: figures side by side, each with label, value and note in three rows; or all in one line if rows are
// scarce. Pure functions, any thread.
#pragma once

#include "tui/cells/canvas.h"
#include "tui/widgets/figures.h"

#include <span>

namespace hyperscale::tui {

inline constexpr int kCardRows = 3;
inline constexpr int kCardWidthMin = 14;

// Cards of equal width; those that do not fit are omitted, starting with the last.
void draw_cards(Canvas canvas, std::span<const Figure> figures);
// "received 41.3 MB/s   sent 3.10 MB/s   dropped 0"; those that do not fit are omitted.
void draw_figure_line(Canvas canvas, std::span<const Figure> figures);

}  // namespace hyperscale::tui
