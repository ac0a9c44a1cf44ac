// Title: the name of the program in colours that run from left to right, in one line or in large letters. Pure
// functions, any thread.
#pragma once

#include "tui/cells/canvas.h"

namespace hyperscale::tui {

inline constexpr int kLargeTitleRows = 4;
inline constexpr int kLargeTitleColumns = 45;

// Returns how many columns it took.
int draw_title(Canvas canvas);
void draw_large_title(Canvas canvas);

}  // namespace hyperscale::tui
