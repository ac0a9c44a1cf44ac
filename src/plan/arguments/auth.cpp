#include "plan/arguments/auth.h"

#include "plan/ascii.h"
#include "plan/percent.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

Result<std::string> header_of(const BasicAuth& auth) {
  if (auth.user.find(':') != std::string::npos) return invalid("the user name of Basic authentication has a colon");
  if (std::ranges::any_of(auth.user, is_control) || std::ranges::any_of(auth.password, is_control)) {
    return invalid("the user name or password of Basic authentication has a control character");
  }
  return "Basic " + base64(fmt::format("{}:{}", auth.user, auth.password));
}

// RFC 6750 2.1: letters, digits and -._~+/ with "=" only at the end.
Result<std::string> header_of(const BearerAuth& auth) {
  const std::string_view token = auth.token;
  const std::string_view body = token.substr(0, token.find_last_not_of('=') + 1);
  const bool good = std::ranges::all_of(body, [](char c) {
    return is_letter(c) || is_digit(c) || (c != 0 && std::string_view("-._~+/").find(c) != std::string_view::npos);
  });
  if (body.empty()) return invalid("the bearer token is empty");
  if (!good) return invalid("the bearer token has a character other than letters, digits and -._~+/=");
  return fmt::format("Bearer {}", token);
}

Result<std::string> header_of(const SchemeAuth& auth) {
  if (!is_token(auth.scheme)) return invalid("the scheme of the authentication is not one word");
  if (auth.credentials.empty() ||
      !std::ranges::all_of(auth.credentials, [](char c) { return is_visible(c) || c == ' '; })) {
    return invalid("the credentials are empty or have a character other than visible ASCII and blanks");
  }
  return fmt::format("{} {}", auth.scheme, auth.credentials);
}

}  // namespace

Result<std::string> prepare_auth(const AuthValue& auth) {
  return std::visit([](const auto& credentials) { return header_of(credentials); }, auth);
}

Result<BasicAuth> auth_from_user_info(std::string_view user_info) {
  const std::size_t colon = std::min(user_info.find(':'), user_info.size());
  Result<std::string> user = percent_decode(user_info.substr(0, colon));
  if (!user) return fail(user.error());
  Result<std::string> password = percent_decode(user_info.substr(std::min(colon + 1, user_info.size())));
  if (!password) return fail(password.error());
  return BasicAuth{.user = std::move(*user), .password = std::move(*password)};
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < count; ++i)
      group |= std::uint32_t{static_cast<std::uint8_t>(bytes[at + i])} << (16 - 8 * i);
    for (std::size_t i = 0; i < 4; ++i) text += i <= count ? kLetters[group >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

}  // namespace hyperscale::plan
