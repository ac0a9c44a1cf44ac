// Capabilities of the terminal behind a descriptor: colours, width, characters. Reads the environment; main thread.
#pragma once

#include "report/summary.h"
#include "tui/cells/theme.h"

namespace hyperscale::node {

// From LC_ALL, LC_CTYPE and LANG; true if none of them is set.
bool utf8_locale();
// No colours if it is not a terminal, TERM is dumb, or NO_COLOR is set.
report::SummaryStyle style_of(int descriptor);
// True for a terminal that can move its cursor, from TERM.
bool can_draw(int descriptor);
// From NO_COLOR, TERM and COLORTERM.
tui::Colours colours_of_terminal();

}  // namespace hyperscale::node
