// WorkflowTabs: the names of the workflows of a run, the shown one marked, and whether the screen cycles through them.
// Pure function, any thread.
#pragma once

#include "live/live_view.h"
#include "tui/cells/canvas.h"

#include <cstddef>
#include <span>

namespace hyperscale::tui {

// In the first row. Tabs scroll so that the shown one is always visible.
void draw_workflow_tabs(Canvas canvas, std::span<const live::WorkflowView> workflows, std::size_t shown, bool held);

}  // namespace hyperscale::tui
