// Text of an errno value, such as "No such file or directory". Any thread: unlike std::strerror, which may share one
// buffer between all callers, it returns a new string.
#pragma once

#include <string>

namespace hyperscale {

std::string errno_text(int error);

}  // namespace hyperscale
