// Bytes as a user can write and read them on one line: \r \n \t \xNN \\ as in C, everything else as it is.
//
// Pure functions; any thread.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace hyperscale::plan {

// Fails with kInvalidArgument and one sentence that names the escape and its position, counted from 1.
Result<std::string> unescaped(std::string_view text);

// What unescaped() reads back as the same bytes. Printable ASCII stays, all else is an escape.
std::string escaped(std::string_view bytes);

}  // namespace hyperscale::plan
