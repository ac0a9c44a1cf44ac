// The table of workflows in the summary, and why some of them did not run.
#include "base/number_text.h"
#include "base/terminal_text.h"
#include "report/summary_sections.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

using results::WorkflowEnd;
using results::WorkflowReport;

std::string error_share(const WorkflowReport& each) {
  const std::uint64_t concluded = each.requests - std::min(each.requests, each.redirected);
  return concluded == 0 ? "-" : percent_text(each.errors, concluded);
}

std::string failed_share(const WorkflowReport& each) {
  return each.iterations == 0 ? "-" : percent_text(each.iterations_failed, each.iterations);
}

Ink ink_of(WorkflowEnd end) {
  if (end == WorkflowEnd::kCompleted) return Ink::kPlain;
  return end == WorkflowEnd::kStopped ? Ink::kWarn : Ink::kBad;
}

}  // namespace

void write_workflows(SummaryPage& page, const results::RunResult& result) {
  if (result.workflows.empty()) return;
  constexpr std::size_t kEndWidth = 10, kCoresWidth = 6, kCountWidth = 10, kErrorWidth = 7, kFailedWidth = 7,
                        kTimeWidth = 8;
  constexpr std::size_t kFixed = kEndWidth + kCoresWidth + kCountWidth + kErrorWidth + kFailedWidth + kTimeWidth;
  static_assert(kFixed + 8 <= kSummaryWidthMin - 2 * SummaryPage::kMargin);
  std::size_t name_width = 10;
  for (const WorkflowReport& each : result.workflows)
    name_width = std::max(name_width, cells(page.safe(each.name)) + 1);
  name_width = std::min(name_width, page.width() - kFixed);
  page.gap();
  page.line(page.ink(left("workflows", name_width), Ink::kStrong) +
            page.ink(left("", kEndWidth) + right("cores", kCoresWidth) + right("requests", kCountWidth) +
                         right("errors", kErrorWidth) + right("failed", kFailedWidth) + right("time", kTimeWidth),
                     Ink::kFaint));
  for (const WorkflowReport& each : result.workflows) {
    page.line(left(page.safe_cut(each.name, name_width - 1), name_width) +
              page.ink(left(results::name(each.end), kEndWidth), ink_of(each.end)) +
              right(count_text(each.cores), kCoresWidth) + right(count_text(each.requests), kCountWidth) +
              page.ink(right(error_share(each), kErrorWidth), each.errors == 0 ? Ink::kPlain : Ink::kBad) +
              page.ink(right(failed_share(each), kFailedWidth), each.iterations_failed == 0 ? Ink::kPlain : Ink::kBad) +
              right(elapsed_text(each.elapsed, page.glyphs()), kTimeWidth));
  }
  for (const WorkflowReport& each : result.workflows)
    if (!each.message.empty()) page.note(fmt::format("{}: {}", page.safe(each.name), page.safe(each.message)));
}

}  // namespace hyperscale::report
