// ThresholdList: each threshold with its state and actual figure; failing ones first. Pure functions, any thread.
#pragma once

#include "live/live_view.h"
#include "tui/cells/canvas.h"

#include <span>

namespace hyperscale::tui {

// One per row; those that do not fit are counted.
void draw_threshold_list(Canvas canvas, std::span<const live::ThresholdView> thresholds);

}  // namespace hyperscale::tui
