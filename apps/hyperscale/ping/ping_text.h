// Pings as readable text, and as one line of JSON.
//
// Pure; any thread. Foreign text (greetings, names from DNS) cannot move the cursor or change colours, in both forms.
#pragma once

#include "apps/hyperscale/ping/ping_request.h"
#include "apps/hyperscale/ping/service_ping.h"
#include "base/glyphs.h"

#include <span>
#include <string>

namespace hyperscale::app {

// REQUIRES: at least one outcome. One: the time of each phase; several: minimum, median and maximum, of successful
// pings if there are any. Shows the server of the last outcome that connected.
std::string ping_text(const Ping& ping, std::span<const PingOutcome> outcomes, Glyphs glyphs);
std::string ping_json(const Ping& ping, std::span<const PingOutcome> outcomes);

}  // namespace hyperscale::app
