// Pings as a person wants to see them, and as one line of JSON.
//
// Pure; any thread. Foreign text (greetings, names from DNS) cannot move the cursor or change colours, in both forms.
#pragma once

#include "apps/hyperscale/ping/ping_request.h"
#include "apps/hyperscale/ping/service_ping.h"
#include "base/glyphs.h"

#include <span>
#include <string>

namespace hyperscale::app {

// REQUIRES: at least one outcome. One: the time of each phase; several: least, median and most of those that answered.
// The server is the one of the last outcome that reached one.
std::string ping_text(const Ping& ping, std::span<const PingOutcome> outcomes, Glyphs glyphs);
std::string ping_json(const Ping& ping, std::span<const PingOutcome> outcomes);

}  // namespace hyperscale::app
