// Auth: the Authorization header: Basic (RFC 7617), Bearer (RFC 6750, which is what OAuth 2 sends) or any other scheme.
// Pure functions; any thread. No message repeats a password or a token.
#pragma once

#include "plan/arguments/argument.h"

#include <string>
#include <variant>

namespace hyperscale::plan {

struct BasicAuth {
  std::string user;  // without a colon, which would end it
  std::string password;
};
struct BearerAuth {
  std::string token;
};
// "OAuth realm=...", "Token abc": credentials computed elsewhere.
struct SchemeAuth {
  std::string scheme;
  std::string credentials;
};
using AuthValue = std::variant<BasicAuth, BearerAuth, SchemeAuth>;

// The header's value: "Basic YTpi", "Bearer abc".
Result<std::string> prepare_auth(const AuthValue& auth);
using Auth = Argument<AuthValue, std::string, prepare_auth>;

// The user part of a URL ("user:password", percent-encoded) as Basic credentials.
Result<BasicAuth> auth_from_user_info(std::string_view user_info);

// RFC 4648 4, with padding.
std::string base64(std::string_view bytes);

}  // namespace hyperscale::plan
