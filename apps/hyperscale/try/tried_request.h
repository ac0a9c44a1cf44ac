// The request of a tried exchange as lines that may be shown: values of Authorization, Proxy-Authorization and Cookie
// are left out. Pure; any thread.
#pragma once

#include "load/single_try.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::app {

std::vector<std::string> shown_request(const load::TriedExchange& exchange);
// The value of a header of the answer, in any case; empty when it has none.
std::string_view answer_header(const load::TriedExchange& exchange, const char* name);

}  // namespace hyperscale::app
