// Title: the name of the program with a colour gradient from left to right, in one line or in large letters. Pure
// functions, any thread.
#pragma once

#include "tui/cells/canvas.h"

namespace hyperscale::tui {

inline constexpr int kLargeTitleRows = 4;
inline constexpr int kLargeTitleColumns = 45;

// Returns the number of columns used.
int draw_title(Canvas canvas);
void draw_large_title(Canvas canvas);

}  // namespace hyperscale::tui
