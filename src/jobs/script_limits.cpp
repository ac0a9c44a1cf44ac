#include "jobs/script_limits.h"

#include "base/duration_text.h"
#include "base/size_text.h"

#include <fmt/format.h>

namespace hyperscale::jobs {

std::string broken_limit(const Sight& sight, const ScriptLimits& limits, MonoTime start, MonoTime now) {
  if (sight.resident_bytes > limits.resident_bytes)
    return fmt::format("its script took more than {} of memory", format_size(limits.resident_bytes));
  const MonoTime alive = sight.alive == MonoTime() ? start + limits.first_sign : sight.alive;
  if (now - alive > limits.silence)
    return fmt::format("its script did not let go for {}; is there an endless regular expression?",
                       format_duration(limits.silence));
  return {};
}

}  // namespace hyperscale::jobs
