// KeyHelp: which keys there are, as one line at the bottom and as a page over the screen. Pure functions, any thread.
#pragma once

#include "tui/cells/canvas.h"

namespace hyperscale::tui {

// What keys can do at this moment.
struct KeyOffer {
  bool workflows = false;  // there are several
  bool paused = false;
  bool users = true;  // can be changed
  bool rate = true;
};

// Keys that do not fit are left out; "? keys" is always there.
void draw_key_line(Canvas canvas, const KeyOffer& offer);
// A box in the middle of the canvas.
void draw_key_page(Canvas canvas);

}  // namespace hyperscale::tui
