// CHECK: an assertion that stays on in every build. A failed CHECK is a bug in this program, never a bad input: it
// prints a readable report (expression, place, message, stack) to standard error and aborts.
//
//   CHECK(count <= kLimit, "queue {} holds {}", name, count);
//   UNREACHABLE("state {}", state);
#pragma once

#include <string>

#include <fmt/format.h>

namespace hyperscale::detail {

[[noreturn]] void check_failed(const char* expression, const char* file, int line, const std::string& message);

}  // namespace hyperscale::detail

#define CHECK(condition, ...)                                                                            \
  do {                                                                                                   \
    if (!(condition)) [[unlikely]]                                                                       \
      ::hyperscale::detail::check_failed(#condition, __FILE__, __LINE__, ::fmt::format("" __VA_ARGS__)); \
  } while (false)

#define UNREACHABLE(...) \
  ::hyperscale::detail::check_failed("reached", __FILE__, __LINE__, ::fmt::format("" __VA_ARGS__))
