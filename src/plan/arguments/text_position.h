// The position of an offset in a text, for display: "2:15" is the 15th character of line 2. Pure; any thread.
//
// A line ends with "\n", "\r\n" or "\r". Characters are UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hyperscale::plan {

// An offset beyond the end means the end.
std::string position_text(std::string_view text, std::size_t offset);

}  // namespace hyperscale::plan
