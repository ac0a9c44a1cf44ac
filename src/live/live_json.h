// A moment of a run as one line of JSON, the same in lines of --out jsonl, in the event feed and from the API, and its
// totals for hyperscale ctl status.
// docs/formats/live.md has the fields. Pure function; any thread.
#pragma once

#include "live/live_view.h"

#include <string>
#include <string_view>

namespace hyperscale::live {

// "warm_up", as it is in all of these.
std::string_view word(RunState state);

// A command may name the view's tick as its basis.
std::string live_json(const LiveView& view);
// The same without thresholds, workflows and steps, so that its size does not follow the plan.
std::string status_json(const LiveView& view);

}  // namespace hyperscale::live
