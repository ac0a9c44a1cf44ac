// A moment of a run as one line of JSON, the same in lines of --out jsonl, in the event feed and from the API.
// docs/formats/live.md has the fields. Pure function; any thread.
#pragma once

#include "tui/live_view.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hyperscale::live {

// "warm_up", as it is in all of these.
std::string_view word(tui::RunState state);

// `tick` is that of the world the view was made from; a command may name it as its basis.
std::string live_json(const tui::LiveView& view, std::uint64_t tick);

}  // namespace hyperscale::live
