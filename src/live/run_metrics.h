// Figures of a run in Prometheus text format (version 0.0.4), from its live view. Series are per workflow and step, so
// the plan bounds their number. Pure function; any thread.
#pragma once

#include "live/live_view.h"

#include <string>

namespace hyperscale::live {

std::string run_metrics(const LiveView& view);

}  // namespace hyperscale::live
