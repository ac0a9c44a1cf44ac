// Prints to a terminal or pipe that may be closed: a write error does not end the program. Callers that care check the
// result.
#pragma once

#include <cerrno>
#include <cstdio>
#include <string_view>

namespace hyperscale {

// Zero, or the errno of the failure.
inline int print_text(std::FILE* to, std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), to) == text.size() && std::fflush(to) == 0;
  return written ? 0 : errno;
}

}  // namespace hyperscale
