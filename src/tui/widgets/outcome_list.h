// OutcomeList: counts of outcomes by class, the most frequent failures first. Pure functions, any thread.
#pragma once

#include "live/live_view.h"
#include "tui/cells/canvas.h"

#include <vector>

namespace hyperscale::tui {

struct OutcomeCount {
  results::Outcome outcome;
  std::uint64_t count;
};
// Outcomes with a count above zero: ok first, then failures by count.
std::vector<OutcomeCount> outcome_counts(const live::LiveView& view);

// One outcome per row, with its share.
void draw_outcome_list(Canvas canvas, const live::LiveView& view);
// All in one row; those that do not fit are summed up.
void draw_outcome_line(Canvas canvas, const live::LiveView& view);

}  // namespace hyperscale::tui
