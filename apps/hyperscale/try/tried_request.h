// The request of a tried exchange as lines for display, without the values of Authorization, Proxy-Authorization and
// Cookie. Pure; any thread.
#pragma once

#include "load/single_try.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::app {

std::vector<std::string> shown_request(const load::TriedExchange& exchange);
// Bytes of TCP and UDP as lines, non-text bytes escaped (plan/byte_escapes.h); each line ends after a line feed.
std::vector<std::string> shown_bytes(std::string_view bytes);
// The value of a header of the answer, case-insensitive; empty if missing.
std::string_view answer_header(const load::TriedExchange& exchange, const char* name);

}  // namespace hyperscale::app
