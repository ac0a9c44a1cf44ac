#include "report/change_text.h"

#include "base/duration_text.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

using results::ChangeRecord;

std::string whose(const ChangeRecord& change) {
  return change.workflow.empty() ? "" : change.workflow + ": ";
}

bool follows(const ChangeRecord& first, const ChangeRecord& next) {
  const std::string_view kind = std::string_view(first.what).substr(0, first.what.find('=') + 1);
  return !kind.empty() && next.what.starts_with(kind) && next.workflow == first.workflow;
}

}  // namespace

std::string change_text(const ChangeRecord& change) {
  return fmt::format("{:.1f} s: {}{}", seconds(change.at), whose(change), change.what);
}

std::vector<std::string> change_lines(std::span<const ChangeRecord> changes, std::size_t most) {
  std::vector<std::string> lines;
  const bool fold = changes.size() > most;
  while (!changes.empty()) {
    const ChangeRecord& first = changes.front();
    const auto other = std::ranges::find_if(changes.begin() + 1, changes.end(),
                                            [&](const ChangeRecord& next) { return !fold || !follows(first, next); });
    const auto count = static_cast<std::size_t>(other - changes.begin());
    const ChangeRecord& last = changes[count - 1];
    lines.push_back(count == 1 ? change_text(first)
                               : fmt::format("{:.1f} s to {:.1f} s: {}{} changes from {} to {}", seconds(first.at),
                                             seconds(last.at), whose(first), count, first.what, last.what));
    changes = changes.subspan(count);
  }
  return lines;
}

}  // namespace hyperscale::report
