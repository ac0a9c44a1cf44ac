// StepTable: the steps of a workflow with their figures. Pure functions, any thread.
#pragma once

#include "base/glyphs.h"
#include "tui/live_view.h"
#include "tui/widgets/table.h"

namespace hyperscale::tui {

// The total is a row of its own below when there are several steps.
Table step_table(const WorkflowView& workflow, Glyphs glyphs);

}  // namespace hyperscale::tui
