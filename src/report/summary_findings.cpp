// Failures, changes, lost executors, warnings and thresholds: the sections of the summary about problems.
#include "base/number_text.h"
#include "base/terminal_text.h"
#include "report/change_text.h"
#include "report/failure_list.h"
#include "report/summary_sections.h"
#include "report/warnings.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

constexpr std::size_t kFailuresShown = 5;
constexpr std::size_t kChangesOneByOne = 20;
constexpr std::size_t kCountWidth = 10;

std::string kind_of(const results::Failure& failure) {
  return failure.outcome == results::Outcome::kStatus ? fmt::format("status {}", failure.status)
                                                      : std::string(results::name(failure.outcome));
}

}  // namespace

void write_failures(SummaryPage& page, const results::RunResult& result) {
  const std::vector<ListedFailure> failures = listed_failures(result);
  if (failures.empty()) return;
  page.heading("failures");
  const bool name_steps = result.steps.size() > 1;
  for (std::size_t i = 0; i < std::min(failures.size(), kFailuresShown); ++i) {
    const auto& [failure, step] = failures[i];
    const std::string kind = kind_of(failure);
    std::string message = page.safe(failure.message);
    if (name_steps) message.insert(0, page.safe(step) + ": ");
    const std::size_t indent = kCountWidth + 2;
    const std::size_t used = indent + cells(kind) + 2;
    page.line(page.ink(right(count_text(failure.count) + std::string(page.glyph("×", "x")), kCountWidth), Ink::kBad) +
              "  " + page.ink(kind, Ink::kStrong) + "  " +
              cut(message, page.width() - std::min(page.width(), used), page.glyphs()));
    if (failure.body_start.empty()) continue;
    page.line(std::string(indent, ' ') +
              page.ink(page.safe_cut(failure.body_start, page.width() - indent), Ink::kFaint));
  }
  if (failures.size() <= kFailuresShown) return;
  const std::size_t more = failures.size() - kFailuresShown;
  page.line(page.ink(fmt::format("{}{} more {}", std::string(kCountWidth + 2, ' '), more, more == 1 ? "kind" : "kinds"),
                     Ink::kFaint));
}

void write_changes(SummaryPage& page, const results::RunResult& result) {
  if (result.changes.empty()) return;
  page.heading(result.changes.size() == 1 ? "change" : "changes", "made while it ran");
  for (const std::string& line : change_lines(result.changes, kChangesOneByOne))
    page.paragraph(page.glyph("→", ">"), Ink::kPlain, line);
}

void write_executors(SummaryPage& page, const results::RunResult& result) {
  const auto died = [](const results::ExecutorReport& executor) {
    return executor.end != results::ExecutorEnd::kFinished;
  };
  if (std::ranges::none_of(result.executors, died)) return;
  page.heading("executors");
  for (const results::ExecutorReport& executor : result.executors) {
    if (!died(executor)) continue;
    const bool lost = executor.end == results::ExecutorEnd::kLost;
    page.paragraph(
        lost ? page.glyph("✗", "x") : page.glyph("↻", "~"), lost ? Ink::kBad : Ink::kWarn,
        fmt::format("executor {} {}: {}", executor.index, lost ? "was lost" : "was started again", executor.message));
  }
}

void write_warnings(SummaryPage& page, const results::RunResult& result) {
  const std::vector<std::string> warnings = warnings_of(result);
  if (warnings.empty()) return;
  page.heading(warnings.size() == 1 ? "warning" : "warnings");
  for (const std::string& warning : warnings) page.paragraph("!", Ink::kWarn, warning);
}

void write_thresholds(SummaryPage& page, std::span<const results::Verdict> verdicts) {
  if (verdicts.empty()) return;
  std::size_t width = 0;
  for (const results::Verdict& verdict : verdicts) width = std::max(width, cells(page.safe(verdict.threshold)));
  width = std::min(width, page.width() / 2);
  const auto failed = std::ranges::count(verdicts, false, &results::Verdict::passed);
  page.heading("thresholds",
               failed == 0 ? std::string("all passed") : fmt::format("{} of {} failed", failed, verdicts.size()));
  for (const results::Verdict& verdict : verdicts) {
    const std::string mark(verdict.passed ? page.glyph("✓", "+") : page.glyph("✗", "x"));
    page.line(
        page.ink(mark, verdict.passed ? Ink::kGood : Ink::kBad) + " " +
        left(page.safe_cut(verdict.threshold, width), width) + "   " +
        page.ink(page.safe_cut(verdict.actual, page.width() - width - 5), verdict.passed ? Ink::kPlain : Ink::kBad));
  }
}

}  // namespace hyperscale::report
