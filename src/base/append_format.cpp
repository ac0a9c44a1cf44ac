#include "base/append_format.h"

#include <iterator>

#include <fmt/format.h>

namespace hyperscale {

void append_vformat(std::string& out, fmt::string_view format, fmt::format_args args) {
  fmt::vformat_to(std::back_inserter(out), format, args);
}

}  // namespace hyperscale
