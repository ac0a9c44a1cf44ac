// The sections of the summary about latency: the table, the steps and the distribution.
#include "base/number_text.h"
#include "base/terminal_text.h"
#include "report/latency_bands.h"
#include "report/latency_figures.h"
#include "report/metric_text.h"
#include "report/summary_sections.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

constexpr std::size_t kColumnWidth = 9;
constexpr std::size_t kRowNameWidth = 12;
constexpr std::size_t kStepNameWidthMax = 32;
constexpr std::size_t kBarWidthMax = 40;

// A narrow screen omits the least important columns first.
std::vector<LatencyColumn> columns_for(std::size_t room) {
  std::vector<LatencyColumn> columns(kLatencyColumns.begin(), kLatencyColumns.end());
  constexpr std::array<std::string_view, 6> kLeaveOut{"p99.99", "p95", "mean", "p99.9", "p90", "max"};
  for (const std::string_view title : kLeaveOut) {
    if (columns.size() * kColumnWidth <= room) break;
    std::erase_if(columns, [title](const LatencyColumn& column) { return column.title == title; });
  }
  return columns;
}

std::string figures_line(const SummaryPage& page, const std::vector<LatencyColumn>& columns,
                         const LatencyFigures& figures) {
  std::string line;
  for (const LatencyColumn& column : columns)
    line += right(figures.count == 0 ? "-" : page.latency(figures.*column.value), kColumnWidth);
  return line;
}

std::string titles_line(const std::vector<LatencyColumn>& columns) {
  std::string line;
  for (const LatencyColumn& column : columns) line += right(column.title, kColumnWidth);
  return line;
}

// Eighths of a cell make small differences visible.
std::string bar(const SummaryPage& page, std::uint64_t count, std::uint64_t most, std::size_t width) {
  if (count == 0) return "";
  const double share = static_cast<double>(count) / static_cast<double>(most);
  if (page.glyphs() == Glyphs::kAscii)
    return std::string(
        std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(share * static_cast<double>(width)))), '#');
  constexpr std::array<std::string_view, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const std::size_t eighths =
      std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(width) * 8));
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  return text + std::string(kEighths[eighths % 8]);
}

// The percentiles in this row, to relate bars and table.
std::string marks_in(const LatencyBand& band, const LatencyFigures& figures) {
  std::string marks;
  for (const LatencyColumn& column : kLatencyColumns) {
    if (column.title == "mean" || column.title == "max") continue;
    const Duration value = figures.*column.value;
    if (band.low <= value && value < band.high) marks += (marks.empty() ? "" : " ") + std::string(column.title);
  }
  return marks;
}

std::string band_label(const SummaryPage& page, const LatencyBand& band) {
  constexpr std::size_t kBorderWidth = 7;
  const Duration high = band.tail ? band.high - Duration(1) : band.high;
  return right(short_latency_text(band.low, page.glyphs()), kBorderWidth) + std::string(page.glyph(" – ", " - ")) +
         right(short_latency_text(high, page.glyphs()), kBorderWidth);
}

}  // namespace

void write_latency_table(SummaryPage& page, const results::RunResult& result, const results::Series& series) {
  const std::vector<LatencyRow> rows = latency_rows(series, result.total_counts(), result.open_loop);
  if (rows.empty()) return;
  const std::vector<LatencyColumn> columns = columns_for(page.width() - kRowNameWidth);
  page.gap();
  page.line(page.ink(left("latency", kRowNameWidth), Ink::kStrong) + page.ink(titles_line(columns), Ink::kFaint));
  for (const LatencyRow& row : rows) {
    const bool main = row.name == "duration";
    page.line(page.ink(left(row.name, kRowNameWidth), main ? Ink::kPlain : Ink::kFaint) +
              page.ink(figures_line(page, columns, row.figures), main ? Ink::kStrong : Ink::kPlain));
  }
  page.note(fmt::format("duration is {}", duration_meaning(result.open_loop)));
  if (std::ranges::find(rows, "ok only", &LatencyRow::name) != rows.end())
    page.note("failed answers are part of duration; \"ok only\" is without them");
}

void write_steps(SummaryPage& page, const results::RunResult& result) {
  if (result.steps.size() < 2 || std::ranges::none_of(result.steps, was_measured)) return;
  constexpr std::size_t kRequestsWidth = 12, kErrorWidth = 9;
  // Two figures are kept, however long the names are.
  const std::size_t name_room = page.width() - kRequestsWidth - kErrorWidth - 2 * kColumnWidth;
  std::size_t name_width = kRowNameWidth;
  std::string unmeasured;
  for (const results::StepResult& step : result.steps) {
    name_width = std::max(name_width, cells(page.safe(step_label(step))) + 1);
    if (!was_measured(step)) unmeasured += (unmeasured.empty() ? "" : ", ") + step_label(step);
  }
  name_width = std::min({name_width, kStepNameWidthMax, name_room});
  const std::size_t used = name_width + kRequestsWidth + kErrorWidth;
  const std::vector<LatencyColumn> columns = columns_for(page.width() - used);
  page.gap();
  page.line(
      page.ink(left("steps", name_width), Ink::kStrong) +
      page.ink(right("requests", kRequestsWidth) + right("errors", kErrorWidth) + titles_line(columns), Ink::kFaint));
  for (const results::StepResult& step : result.steps) {
    if (!was_measured(step)) continue;
    const std::uint64_t requests = step.counts.requests(), errors = step.counts.errors();
    page.line(left(page.safe_cut(step_label(step), name_width - 1), name_width) +
              right(count_text(requests), kRequestsWidth) +
              page.ink(right(percent_text(errors, step.counts.concluded()), kErrorWidth),
                       errors == 0 ? Ink::kPlain : Ink::kBad) +
              figures_line(page, columns, latency_figures(step.series.duration)));
  }
  if (!unmeasured.empty()) page.note("nothing was measured in: " + unmeasured);
}

void write_distribution(SummaryPage& page, const SparseHistogram& duration) {
  const std::vector<LatencyBand> bands = latency_bands(duration);
  if (bands.empty()) return;
  const LatencyFigures figures = latency_figures(duration);
  const std::uint64_t most = std::ranges::max_element(bands, {}, &LatencyBand::count)->count;
  constexpr std::size_t kLabel = 17, kCount = 12, kPercent = 8, kMarks = 19, kBarWidthMin = 10;
  constexpr std::size_t kFixed = kLabel + kCount + kPercent + 4;
  static_assert(kFixed + kBarWidthMin <= kSummaryWidthMin - 2 * SummaryPage::kMargin);
  const std::size_t room = page.width() - kFixed;
  const std::size_t width = std::clamp(room - std::min(room, kMarks), kBarWidthMin, kBarWidthMax);
  page.heading("distribution", "of duration");
  for (const LatencyBand& band : bands) {
    page.line(left(band_label(page, band), kLabel) + "  " +
              page.ink(left(bar(page, band.count, most, width), width), Ink::kAccent) +
              right(count_text(band.count), kCount) + right(percent_text(band.count, duration.count()), kPercent) +
              "  " + page.ink(cut(marks_in(band, figures), room - width, page.glyphs()), Ink::kFaint));
  }
}

}  // namespace hyperscale::report
