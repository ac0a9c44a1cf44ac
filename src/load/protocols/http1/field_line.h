// One field line of a head or a trailer section: "name: value" (RFC 9112, section 5). Private to this folder.
//
// Inline, because a response has about ten of them, and calls would take longer than parsing.
#pragma once

#include "load/protocols/http1/line_scan.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hyperscale::load {

struct FieldLine {
  std::string_view name;   // as sent
  std::string_view value;  // without the white space around it
  const char* fault;       // null when the line is valid; the views are meaningless otherwise
};

// Removes spaces and tabs at both ends (OWS).
inline std::string_view without_surrounding_space(std::string_view text) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  while (begin != end && is_space(*begin)) ++begin;
  while (begin != end && is_space(end[-1])) --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

// Why a line whose first `length` characters are a token is not a field line.
const char* fault_of_field_line(std::string_view line, std::size_t length);

// REQUIRES: `line` is not empty and holds no control character but HTAB.
inline FieldLine parse_field_line(std::string_view line) {
  const std::size_t length = token_length(line);
  if (length == 0 || length == line.size() || line[length] != ':') [[unlikely]] {
    return {{}, {}, fault_of_field_line(line, length)};
  }
  const std::string_view value(line.data() + length + 1, line.size() - length - 1);
  return {{line.data(), length}, without_surrounding_space(value), nullptr};
}

// Whether `token` equals `lower`, ignoring case. REQUIRES: `token` holds token characters only; `lower` holds lower
// case letters and dashes: setting bit 5 then never makes two different characters equal.
inline bool is_same_token(std::string_view token, std::string_view lower) {
  if (token.size() != lower.size()) return false;
  std::uint8_t difference = 0;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    difference |= static_cast<std::uint8_t>((static_cast<std::uint8_t>(token[i]) | 0x20) ^ lower[i]);
  }
  return difference == 0;
}

}  // namespace hyperscale::load
