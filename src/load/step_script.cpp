#include "load/step_script.h"

#include "base/size_text.h"
#include "plan/limits.h"

#include <fmt/format.h>

namespace hyperscale::load {

std::string too_large(const std::string& name, std::size_t bytes) {
  return fmt::format("the value of \"{}\" has {} as JSON; at most {} can be passed on", name, format_size(bytes),
                     format_size(plan::kSharedValueBytesMax));
}

}  // namespace hyperscale::load
