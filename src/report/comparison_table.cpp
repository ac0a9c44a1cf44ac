#include "report/comparison_table.h"

#include "base/number_text.h"
#include "base/terminal_text.h"

#include <cmath>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

constexpr std::size_t kNameWidth = 10;
constexpr std::size_t kFigureWidth = 14;

std::string figure(double value, results::ComparedUnit unit, Glyphs glyphs) {
  switch (unit) {
    case results::ComparedUnit::kPerSecond:
      return rate_text(value);
    case results::ComparedUnit::kPercent:
      return three_digits(value) + "%";
    case results::ComparedUnit::kNanoseconds:
      break;
  }
  return latency_text(Duration(std::llround(value)), glyphs);
}

std::string row_text(const std::string& name, const std::string& before, const std::string& after,
                     const std::string& change) {
  return fmt::format("  {}{}{}{}\n", left(name, kNameWidth), right(before, kFigureWidth), right(after, kFigureWidth),
                     right(change, kFigureWidth));
}

}  // namespace

std::string comparison_table(std::span<const results::ComparisonRow> rows, const std::string& baseline, Glyphs glyphs) {
  if (rows.empty()) return {};
  std::string text = fmt::format("\nCompared with {}\n", visible(baseline, glyphs));
  text += row_text("", "before", "now", "change");
  for (const results::ComparisonRow& row : rows) {
    std::string change = row.change_percent ? fmt::format("{:+.1f}%", *row.change_percent) : "new";
    std::string line = row_text(std::string(row.metric), figure(row.before, row.unit, glyphs),
                                figure(row.after, row.unit, glyphs), change);
    if (row.change != results::Change::kSame)
      line.insert(line.size() - 1, fmt::format("  {}", results::name(row.change)));
    text += line;
  }
  return text;
}

}  // namespace hyperscale::report
