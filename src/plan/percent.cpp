#include "plan/percent.h"

#include "plan/ascii.h"

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

bool is_unreserved(char c) {
  return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

int hex_value(char c) {
  return is_digit(c) ? c - '0' : to_lower(c) - 'a' + 10;
}

}  // namespace

std::string percent_encode(std::string_view text) {
  std::string encoded;
  encoded.reserve(text.size());
  for (const char c : text) {
    if (is_unreserved(c)) {
      encoded.push_back(c);
    } else {
      append_escape(encoded, c);
    }
  }
  return encoded;
}

void append_escape(std::string& to, char byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto number = static_cast<unsigned char>(byte);
  to += {'%', kDigits[number >> 4], kDigits[number & 15]};
}

Result<std::string> percent_decode(std::string_view text) {
  if (const auto at = broken_escape(text)) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("\"%\" at position {} needs two hexadecimal digits; a percent sign itself is %25", *at + 1));
  }
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      decoded.push_back(text[at]);
    } else {
      decoded.push_back(static_cast<char>(hex_value(text[at + 1]) * 16 + hex_value(text[at + 2])));
      at += 2;
    }
  }
  return decoded;
}

std::optional<std::size_t> broken_escape(std::string_view text) {
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1)) {
    if (at + 2 >= text.size() || !is_hex_digit(text[at + 1]) || !is_hex_digit(text[at + 2])) return at;
  }
  return std::nullopt;
}

}  // namespace hyperscale::plan
