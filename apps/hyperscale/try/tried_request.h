// The request of a tried exchange as lines that may be shown: values of Authorization, Proxy-Authorization and Cookie
// are left out. Pure; any thread.
#pragma once

#include "load/single_try.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::app {

std::vector<std::string> shown_request(const load::TriedExchange& exchange);
// Bytes of TCP and UDP as lines, with escapes (plan/byte_escapes.h) for what is no text; each ends behind a line feed.
std::vector<std::string> shown_bytes(std::string_view bytes);
// The value of a header of the answer, in any case; empty when it has none.
std::string_view answer_header(const load::TriedExchange& exchange, const char* name);

}  // namespace hyperscale::app
