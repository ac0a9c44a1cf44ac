// LogTail: the last lines of the log, the newest at the bottom. Pure function, any thread.
#pragma once

#include "live/live_view.h"
#include "tui/cells/canvas.h"

#include <span>

namespace hyperscale::tui {

void draw_log_tail(Canvas canvas, std::span<const live::LogLine> log);

}  // namespace hyperscale::tui
