// The words for an errno value, such as "No such file or directory". Any thread may ask: unlike std::strerror, which
// may share one buffer between all callers, each answer is its caller's own.
#pragma once

#include <string>

namespace hyperscale {

std::string errno_text(int error);

}  // namespace hyperscale
