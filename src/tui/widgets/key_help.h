// KeyHelp: the available keys, as one line at the bottom and as a page over the screen. Pure functions, any thread.
#pragma once

#include "tui/cells/canvas.h"

#include <cstdint>

namespace hyperscale::tui {

// What keys can do in the current state.
struct KeyOffer {
  bool workflows = false;  // more than one
  bool paused = false;
  bool users = true;  // the number of users can be changed
  bool rate = true;
};

// Keys that do not fit are left out; "? keys" is always there. The tick of the figures above, by which a frame is
// compared with `ctl status` or a JSON line, is shown if there is room; zero is not shown.
void draw_key_line(Canvas canvas, const KeyOffer& offer, std::uint64_t tick);
// A box in the middle of the canvas.
void draw_key_page(Canvas canvas);

}  // namespace hyperscale::tui
