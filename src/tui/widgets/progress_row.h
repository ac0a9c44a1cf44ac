// ProgressRow: the bar of the whole run with completed part, elapsed and remaining time. Pure function, any thread.
#pragma once

#include "live/live_view.h"
#include "tui/cells/canvas.h"

namespace hyperscale::tui {

void draw_progress_row(Canvas canvas, const live::LiveView& view, Duration animation);

}  // namespace hyperscale::tui
