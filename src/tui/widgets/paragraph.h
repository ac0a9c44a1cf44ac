// Paragraph: text of several lines, wrapped between words. Pure function, any thread.
#pragma once

#include "tui/cells/canvas.h"

namespace hyperscale::tui {

// Centred in the canvas if `centred`, else from its top. Lines that do not fit are omitted.
void draw_paragraph(Canvas canvas, std::string_view text, Role role, bool centred);

}  // namespace hyperscale::tui
