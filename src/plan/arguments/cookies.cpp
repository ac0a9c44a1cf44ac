#include "plan/arguments/cookies.h"

#include "plan/ascii.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

bool is_cookie_octet(char c) {
  return is_visible(c) && c != '"' && c != ',' && c != ';' && c != '\\';
}

}  // namespace

// Values are not repeated in messages: a cookie is often a session.
Result<std::string> prepare_cookies(const CookieList& cookies) {
  std::string header;
  for (const auto& [name, value] : cookies) {
    if (!is_token(name))
      return fail(ErrorCode::kInvalidArgument, fmt::format("{:?} is not the name of a cookie", name));
    if (!std::ranges::all_of(value, is_cookie_octet)) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("the value of cookie {} has a character that a cookie cannot carry; encode it first", name));
    }
    if (!header.empty()) header += "; ";
    header.append(name).append("=").append(value);
  }
  return header;
}

}  // namespace hyperscale::plan
