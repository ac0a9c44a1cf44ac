// Figures of a run as text with a label and a note: counters, rates, the timer. Pure functions, any thread.
#pragma once

#include "base/glyphs.h"
#include "live/live_view.h"
#include "tui/cells/role.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::tui {

struct Figure {
  std::string label;
  std::string value;
  std::string note;
  Role role = Role::kStrong;
};

Figure counter(std::string_view label, std::uint64_t count);
Figure windowed_rate(const live::LiveView& view);  // current
Figure total_rate(const live::LiveView& view);     // over the whole run
Figure timer(const live::LiveView& view);          // "2m06s", of 5m00s

// The most important figures, in order of importance.
std::vector<Figure> main_figures(const live::LiveView& view);
// Traffic and state of the generator.
std::vector<Figure> side_figures(const live::LiveView& view, Glyphs glyphs);

}  // namespace hyperscale::tui
