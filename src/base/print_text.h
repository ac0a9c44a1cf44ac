// Printing for people, to a terminal or pipe that may be gone: what cannot be written is not worth an end of the
// program. Who does care looks at the answer.
#pragma once

#include <cerrno>
#include <cstdio>
#include <string_view>

namespace hyperscale {

// Zero, or the errno of what went wrong.
inline int print_text(std::FILE* to, std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), to) == text.size() && std::fflush(to) == 0;
  return written ? 0 : errno;
}

}  // namespace hyperscale
