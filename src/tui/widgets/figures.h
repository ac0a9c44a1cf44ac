// Figures of a run as text with a label and a note: counters, rates, the timer. Pure functions, any thread.
#pragma once

#include "base/glyphs.h"
#include "tui/cells/role.h"
#include "tui/live_view.h"

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
Figure windowed_rate(const LiveView& view);  // now
Figure total_rate(const LiveView& view);     // over the whole run
Figure timer(const LiveView& view);          // "2m06s", of 5m00s

// What is shown most prominently, the most telling first.
std::vector<Figure> main_figures(const LiveView& view);
// The state of traffic and of the generator.
std::vector<Figure> side_figures(const LiveView& view, Glyphs glyphs);

}  // namespace hyperscale::tui
