// Cookies: the value of a Cookie header, "session=abc; theme=dark" (RFC 6265 4.2.1). Pure functions; any thread.
#pragma once

#include "plan/arguments/argument.h"

#include <string>
#include <utility>
#include <vector>

namespace hyperscale::plan {

using CookieList = std::vector<std::pair<std::string, std::string>>;
// kInvalidArgument on a name that is not a token and on a value with a blank, a quote, a comma, a semicolon, a
// backslash, a control character or a byte beyond ASCII: a cookie cannot contain those.
Result<std::string> prepare_cookies(const CookieList& cookies);
using Cookies = Argument<CookieList, std::string, prepare_cookies>;

}  // namespace hyperscale::plan
