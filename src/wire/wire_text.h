// Texts inside messages: visible ASCII, so that a name can be logged and shown as it is; texts of users are anything
// but control characters. Private to this folder.
#pragma once

#include "base/result.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace hyperscale::wire {

constexpr bool is_control(char c) {
  return (c >= 0 && c < ' ') || c == '\x7f';
}

// The error continues a sentence that begins with the name of the field.
inline Status check_text(std::string_view text, std::size_t bytes_max) {
  if (text.size() > bytes_max) {
    return fail(ErrorCode::kTooLarge, fmt::format("has {} bytes, at most {}", text.size(), bytes_max));
  }
  if (!std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; })) {
    return fail(ErrorCode::kProtocol, "has a character that is not visible ASCII");
  }
  return {};
}

}  // namespace hyperscale::wire
