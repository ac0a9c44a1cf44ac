// Made-up runs for tests and pictures: realistic figures, the same on every machine.
#pragma once

#include "tui/draw_screen.h"
#include "tui/live_view.h"

#include <string_view>
#include <vector>

namespace hyperscale::tui {

// Three workflows in full swing, all thresholds hold.
LiveView running_view();
// One workflow, an open loop that was paused.
LiveView paused_view();
// Errors of several kinds, broken thresholds, a lost executor.
LiveView failing_view();
// A dozen workflows, one of them with forty steps.
LiveView crowded_view();
// A single URL that has only just begun, with nothing known yet.
LiveView starting_view();
// Names that try to break out: escape sequences, wide characters, invalid bytes.
LiveView hostile_view();

// A screen that is kept as a golden file.
struct GoldenScreen {
  std::string_view name;
  LiveView (*view)();
  Size size;
  ScreenState state = {};
  Drawing drawing = {};
};
const std::vector<GoldenScreen>& golden_screens();
const GoldenScreen& golden_screen(std::string_view name);
Screen drawn(const GoldenScreen& golden);

}  // namespace hyperscale::tui
