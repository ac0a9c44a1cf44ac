// Spinner: a rotating glyph that shows activity. Pure function of the time, any thread.
#pragma once

#include "base/glyphs.h"
#include "base/time.h"

namespace hyperscale::tui {

enum class SpinnerStyle : std::uint8_t { kDots, kBars, kLine };

// ASCII supports kLine only.
char32_t spinner(SpinnerStyle style, Duration time, Glyphs glyphs);

}  // namespace hyperscale::tui
