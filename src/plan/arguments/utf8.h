// Checks UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF. Pure; any thread.
#pragma once

#include <string_view>

namespace hyperscale::plan {

bool is_utf8(std::string_view text);

}  // namespace hyperscale::plan
