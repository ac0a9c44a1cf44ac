// SectionTitle: a word in front of a thin rule, and a remark at its end. Pure functions, any thread.
#pragma once

#include "tui/cells/canvas.h"

#include <span>

namespace hyperscale::tui {

// A piece of a remark, in its own role.
struct Remark {
  std::string text;
  Role role = Role::kDim;
};

// In the first row of the canvas. Remarks that do not fit are left out, last first.
void draw_section_title(Canvas canvas, std::string_view title, std::span<const Remark> remarks = {});

}  // namespace hyperscale::tui
