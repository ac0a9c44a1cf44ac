// ProgressBar: the completed part, with a moving spot of light while the run is alive; for a run without an end a short
// piece that moves to and fro. Pure function, any thread.
#pragma once

#include "base/time.h"
#include "tui/cells/canvas.h"

#include <optional>

namespace hyperscale::tui {

// Fills the first row of the canvas. `done` is 0 to 1; nullopt for a run without an end.
void draw_progress_bar(Canvas canvas, std::optional<double> done, bool alive, Duration time);

}  // namespace hyperscale::tui
