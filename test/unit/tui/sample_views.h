// Made-up runs for tests and pictures: realistic figures, the same on every machine.
#pragma once

#include "live/live_view.h"
#include "tui/draw_screen.h"

#include <string_view>
#include <vector>

namespace hyperscale::tui {

// Three workflows in full swing, all thresholds hold.
live::LiveView running_view();
// One workflow, an open loop that was paused.
live::LiveView paused_view();
// Errors of several kinds, broken thresholds, a lost executor.
live::LiveView failing_view();
// A dozen workflows, one of them with forty steps.
live::LiveView crowded_view();
// A single URL that has only just begun, with nothing known yet.
live::LiveView starting_view();
// Names that try to break out: escape sequences, wide characters, invalid bytes.
live::LiveView hostile_view();

// A screen that is kept as a golden file.
struct GoldenScreen {
  std::string_view name;
  live::LiveView (*view)();
  Size size;
  ScreenState state = {};
  Drawing drawing = {};
};
const std::vector<GoldenScreen>& golden_screens();
const GoldenScreen& golden_screen(std::string_view name);
Screen drawn(const GoldenScreen& golden);

}  // namespace hyperscale::tui
