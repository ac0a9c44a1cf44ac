// StepTable: the steps of a workflow with their figures. Pure functions, any thread.
#pragma once

#include "base/glyphs.h"
#include "live/live_view.h"
#include "tui/widgets/table.h"

namespace hyperscale::tui {

// The total is a row of its own below when there are several steps.
Table step_table(const live::WorkflowView& workflow, Glyphs glyphs);

}  // namespace hyperscale::tui
