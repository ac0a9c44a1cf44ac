// JSON of a moment of a run as one line, the same in lines of --out jsonl, in the event feed and from the API, and its
// totals for hyperscale ctl status.
// Fields: docs/formats/live.md. Pure function; any thread.
#pragma once

#include "live/live_view.h"

#include <string>
#include <string_view>

namespace hyperscale::live {

// "warm_up": the word used in all JSON outputs.
std::string_view word(RunState state);

// A command may name the view's tick as its basis.
std::string live_json(const LiveView& view);
// Without thresholds, workflows and steps, so that its size does not depend on the plan.
std::string status_json(const LiveView& view);

}  // namespace hyperscale::live
