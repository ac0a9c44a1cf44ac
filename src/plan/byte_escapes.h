// Bytes as users write and read them on one line: \r \n \t \xNN \\ as in C, other characters unchanged.
//
// Pure functions; any thread.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace hyperscale::plan {

// Fails with kInvalidArgument and one sentence that names the escape and its position, counted from 1.
Result<std::string> unescaped(std::string_view text);

// The inverse of unescaped(). Printable ASCII stays, all other bytes are escaped.
std::string escaped(std::string_view bytes);

}  // namespace hyperscale::plan
