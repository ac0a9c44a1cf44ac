// Texts inside messages: visible ASCII, so that a name can be logged and shown as it is; private to this folder.
#pragma once

#include "base/result.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace hyperscale::wire {

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
