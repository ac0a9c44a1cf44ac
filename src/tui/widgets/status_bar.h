// StatusBar: one sentence about the state of the run; the animated one moves a light through its letters while an
// operation is in progress. Pure functions, any thread.
#pragma once

#include "live/live_view.h"
#include "tui/cells/canvas.h"

#include <string>

namespace hyperscale::tui {

// What the user should know or do in this state; empty while the run needs no remark.
std::string status_sentence(const live::LiveView& view);

void draw_status_bar(Canvas canvas, std::string_view sentence, Role role);
void draw_animated_status_bar(Canvas canvas, std::string_view sentence, Role role, Duration animation);

}  // namespace hyperscale::tui
