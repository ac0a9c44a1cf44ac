// Appends formatted text to a string. Unlike fmt::format_to with a back inserter the formatting is compiled once, in
// the library, and not in every file that uses it (2 s each).
#pragma once

#include <string>
#include <utility>

#include <fmt/core.h>

namespace hyperscale {

void append_vformat(std::string& out, fmt::string_view format, fmt::format_args args);

template <typename... Args>
void append_format(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  append_vformat(out, format, fmt::make_format_args(args...));
}

}  // namespace hyperscale
