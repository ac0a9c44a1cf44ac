// OutcomeList: how exchanges ended, by class, the frequent failures first. Pure functions, any thread.
#pragma once

#include "live/live_view.h"
#include "tui/cells/canvas.h"

#include <vector>

namespace hyperscale::tui {

struct OutcomeCount {
  results::Outcome outcome;
  std::uint64_t count;
};
// Those that occurred: ok first, then failures by their count.
std::vector<OutcomeCount> outcome_counts(const live::LiveView& view);

// One outcome per row, with its share.
void draw_outcome_list(Canvas canvas, const live::LiveView& view);
// All in one row; those that do not fit are counted together.
void draw_outcome_line(Canvas canvas, const live::LiveView& view);

}  // namespace hyperscale::tui
