// Checks and metrics of scripts in the summary.
#include "base/number_text.h"
#include "base/terminal_text.h"
#include "report/metric_text.h"
#include "report/summary_sections.h"
#include "results/saturating.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

using results::CheckResult;
using results::MetricResult;

template <typename Item>
std::size_t name_width(const SummaryPage& page, const std::vector<Item>& items) {
  std::size_t width = SummaryPage::kLabelWidth;
  for (const Item& item : items) width = std::max(width, cells(page.safe(item.name)));
  return std::min(width, page.width() / 2 - 2);
}

std::string remark_of(const SummaryPage& page, const CheckResult& check) {
  const std::uint64_t all = results::saturating_add(check.passed, check.failed);
  if (all == 0) return "never made";
  if (check.failed == 0) return fmt::format("{} passed", count_text(check.passed));
  std::string text = fmt::format("{} of {} failed", count_text(check.failed), count_text(all));
  return check.example.empty() ? text : fmt::format("{}: {}", text, page.safe(check.example));
}

}  // namespace

void write_checks(SummaryPage& page, const results::RunResult& result) {
  if (result.checks.empty()) return;
  constexpr std::size_t kPercentWidth = 8;
  const results::CheckResult sum = all_checks(result);
  const std::uint64_t all = results::saturating_add(sum.passed, sum.failed);
  const std::size_t width = name_width(page, result.checks);
  page.heading("checks",
               all == 0 ? "" : fmt::format("{} of {} passed", percent_text(sum.passed, all), count_text(all)));
  for (const CheckResult& check : result.checks) {
    const std::uint64_t made = results::saturating_add(check.passed, check.failed);
    const bool good = check.failed == 0;
    const Ink ink = made == 0 ? Ink::kFaint : good ? Ink::kGood : Ink::kBad;
    const std::string mark(made == 0 ? "-" : good ? page.glyph("✓", "+") : page.glyph("✗", "x"));
    const std::size_t room = page.width() - 2 - width - kPercentWidth - 3;
    page.line(page.ink(mark, ink) + " " + left(page.safe_cut(check.name, width), width) +
              page.ink(right(percent_text(check.passed, made), kPercentWidth), good ? Ink::kPlain : Ink::kBad) + "   " +
              page.ink(cut(remark_of(page, check), room, page.glyphs()), good ? Ink::kFaint : Ink::kBad));
  }
}

void write_metrics(SummaryPage& page, const results::RunResult& result) {
  if (result.metrics.empty()) return;
  constexpr std::size_t kKindWidth = 9, kValueWidth = 12;
  const std::size_t width = name_width(page, result.metrics) + 1;
  page.heading("metrics");
  for (const MetricResult& metric : result.metrics) {
    const MetricText text = metric_text(metric, result.elapsed);
    const std::size_t used = width + kKindWidth + kValueWidth + 3;
    const std::size_t room = page.width() - std::min(page.width(), used);
    page.line(left(page.safe_cut(metric.name, width - 1), width) +
              page.ink(left(results::name(metric.kind), kKindWidth), Ink::kFaint) +
              page.ink(right(text.value, kValueWidth), Ink::kStrong) + "   " + cut(text.remark, room, page.glyphs()));
  }
}

}  // namespace hyperscale::report
