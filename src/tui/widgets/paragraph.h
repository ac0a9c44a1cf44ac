// Paragraph: text of several lines, wrapped between words. Pure function, any thread.
#pragma once

#include "tui/cells/canvas.h"

namespace hyperscale::tui {

// In the middle of the canvas when `centred`, else from its top. Lines that do not fit are left out.
void draw_paragraph(Canvas canvas, std::string_view text, Role role, bool centred);

}  // namespace hyperscale::tui
