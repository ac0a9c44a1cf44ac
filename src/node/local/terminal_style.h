// What the terminal behind a descriptor can show: colours, width, characters. Reads the environment; main thread.
#pragma once

#include "report/summary.h"
#include "tui/cells/theme.h"

namespace hyperscale::node {

// By LC_ALL, LC_CTYPE and LANG; true when none of them is set.
bool utf8_locale();
// No colours when it is no terminal, a dumb one, or NO_COLOR is set.
report::SummaryStyle style_of(int descriptor);
// Whether it is a terminal that can move its cursor, by TERM.
bool can_draw(int descriptor);
// By NO_COLOR, TERM and COLORTERM.
tui::Colours colours_of_terminal();

}  // namespace hyperscale::node
