// ThresholdList: each threshold, whether it holds, and the figure it is about; broken ones first. Pure functions, any
// thread.
#pragma once

#include "live/live_view.h"
#include "tui/cells/canvas.h"

#include <span>

namespace hyperscale::tui {

// One per row; what does not fit is counted.
void draw_threshold_list(Canvas canvas, std::span<const live::ThresholdView> thresholds);

}  // namespace hyperscale::tui
