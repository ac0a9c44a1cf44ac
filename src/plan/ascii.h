// Kinds of ASCII characters, independent of the locale. Bytes of 0x80 and above are of no kind.
#pragma once

#include <string>
#include <string_view>

namespace hyperscale::plan {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr bool is_letter(char c) {
  return to_lower(c) >= 'a' && to_lower(c) <= 'z';
}
constexpr bool is_hex_digit(char c) {
  return is_digit(c) || (to_lower(c) >= 'a' && to_lower(c) <= 'f');
}
constexpr bool is_visible(char c) {
  return c > ' ' && c <= '~';
}
constexpr bool is_control(char c) {
  return (c >= 0 && c < ' ') || c == 0x7f;
}
// RFC 9110 5.6.2: characters of methods, header names and cookie names.
constexpr bool is_token_char(char c) {
  return is_letter(c) || is_digit(c) ||
         (c != 0 && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
}
constexpr bool is_token(std::string_view text) {
  for (const char c : text) {
    if (!is_token_char(c)) return false;
  }
  return !text.empty();
}

inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = to_lower(c);
  return lower;
}

}  // namespace hyperscale::plan
