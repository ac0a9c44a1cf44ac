// Printing for people, to a terminal or pipe that may be gone: what cannot be written is not worth an end of the
// program.
#pragma once

#include <cstdio>
#include <string_view>

namespace hyperscale::node {

inline void print_text(std::FILE* to, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), to);
  std::fflush(to);
}

}  // namespace hyperscale::node
