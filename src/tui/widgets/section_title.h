// SectionTitle: a word before a thin rule, with optional remarks at its end. Pure functions, any thread.
#pragma once

#include "tui/cells/canvas.h"

#include <span>

namespace hyperscale::tui {

// Part of a remark, with its own role.
struct Remark {
  std::string text;
  Role role = Role::kDim;
};

// In the first row of the canvas. Remarks that do not fit are omitted, starting with the last.
void draw_section_title(Canvas canvas, std::string_view title, std::span<const Remark> remarks = {});

}  // namespace hyperscale::tui
