// The whole screen of a run, drawn from a LiveView: title, progress, figures, the table and the plots of one workflow,
// lists, keys. Pure function, any thread.
#pragma once

#include "base/glyphs.h"
#include "live/live_view.h"
#include "tui/cells/screen.h"
#include "tui/widgets/dot_grid.h"

namespace hyperscale::tui {

// What the terminal can display.
struct Drawing {
  Glyphs glyphs = Glyphs::kUnicode;
  Ink ink = Ink::kBraille;  // for plots; kAscii whenever glyphs are
};

// What the user has selected, and the time for animations.
struct ScreenState {
  std::size_t workflow = 0;  // clamped to the last one
  bool held = false;
  bool help = false;
  std::size_t first_step = 0;
  Duration animation{};
};

// Redraws the whole screen. Returns the largest useful first_step.
std::size_t draw_screen(Screen& screen, const live::LiveView& view, const ScreenState& state, const Drawing& drawing);

}  // namespace hyperscale::tui
