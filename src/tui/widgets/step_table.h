// StepTable: the steps of a workflow with their figures. Pure functions, any thread.
#pragma once

#include "base/glyphs.h"
#include "live/live_view.h"
#include "tui/widgets/table.h"

namespace hyperscale::tui {

// With several steps the total is a row below them.
Table step_table(const live::WorkflowView& workflow, Glyphs glyphs);

}  // namespace hyperscale::tui
