// ProgressRow: the bar of the whole run with what is done, elapsed and left beside it. Pure function, any thread.
#pragma once

#include "tui/cells/canvas.h"
#include "tui/live_view.h"

namespace hyperscale::tui {

void draw_progress_row(Canvas canvas, const LiveView& view, Duration animation);

}  // namespace hyperscale::tui
