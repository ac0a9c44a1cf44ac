// Layout: the area of each widget, from the size of the screen and the amount of content. Computed for every frame, so
// a resized window needs no other handling.
//
// Pure function, any thread. Areas lie inside the screen and do not overlap; what does not fit has an empty area.
#pragma once

#include "tui/cells/area.h"

#include <cstddef>

namespace hyperscale::tui {

inline constexpr Size kSizeMin{60, 16};  // a smaller screen shows only a message

struct LayoutNeeds {
  int step_rows = 0;  // of the whole table
  std::size_t outcomes = 0, thresholds = 0, log_lines = 0;
  bool has_status = false;
};

struct Layout {
  bool too_small = false;
  bool large_title = false;
  Area headline, progress, status;
  Area cards, more_cards;        // more_cards: traffic and generator in cards of their own
  Area outcome_line, side_line;  // one row each, used when lists do not fit
  Area tabs, steps;
  Area rate_plot, latency_plot;    // including titles
  Area outcomes, thresholds, log;  // including titles
  Area keys;
};

Layout layout(Size size, const LayoutNeeds& needs);

}  // namespace hyperscale::tui
