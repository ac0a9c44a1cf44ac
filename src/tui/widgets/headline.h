// Headline: run name, target and state. One row, or beside the large title. Pure functions, any thread.
#pragma once

#include "live/live_view.h"
#include "tui/cells/canvas.h"

namespace hyperscale::tui {

void draw_headline(Canvas canvas, const live::LiveView& view, Duration animation);
// REQUIRES room for the large title.
void draw_large_headline(Canvas canvas, const live::LiveView& view, Duration animation);

}  // namespace hyperscale::tui
