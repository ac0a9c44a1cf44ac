// The whole screen of a run, drawn from a LiveView: title, progress, figures, the table and the plots of one workflow,
// lists, keys. Pure function, any thread.
#pragma once

#include "base/glyphs.h"
#include "live/live_view.h"
#include "tui/cells/screen.h"
#include "tui/widgets/dot_grid.h"

namespace hyperscale::tui {

// What the terminal can show.
struct Drawing {
  Glyphs glyphs = Glyphs::kUnicode;
  Ink ink = Ink::kBraille;  // of plots; kAscii whenever glyphs are
};

// What a person has chosen, and the time that moves what is animated.
struct ScreenState {
  std::size_t workflow = 0;  // the last one when there are fewer
  bool held = false;
  bool help = false;
  std::size_t first_step = 0;
  Duration animation{};
};

// Draws on all of the screen; what was there before is gone. Returns the last first_step that makes sense.
std::size_t draw_screen(Screen& screen, const live::LiveView& view, const ScreenState& state, const Drawing& drawing);

}  // namespace hyperscale::tui
