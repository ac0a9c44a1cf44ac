#include "report/change_text.h"

#include <fmt/format.h>

namespace hyperscale::report {

std::string change_text(const results::ChangeRecord& change) {
  const double seconds = static_cast<double>(change.at.count()) / 1e9;
  return fmt::format("{:.1f} s: {}{}{}", seconds, change.workflow, change.workflow.empty() ? "" : ": ", change.what);
}

}  // namespace hyperscale::report
