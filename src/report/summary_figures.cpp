// Title, totals, arrivals and answers: the sections of the summary that are lines of figures.
#include "base/duration_text.h"
#include "base/number_text.h"
#include "base/terminal_text.h"
#include "report/arrivals.h"
#include "report/summary_sections.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

using results::Counts;
using results::Outcome;
using results::RunResult;

constexpr std::size_t kFigureWidth = 12;

std::string per_second(std::uint64_t amount, Duration elapsed) {
  return elapsed > Duration::zero() ? bytes_per_second_text(static_cast<double>(amount) / seconds(elapsed)) : "";
}

// A figure, right-aligned in its column, and a remark after it if there is room.
void figure_row(SummaryPage& page, std::string_view label, std::string_view value, std::string_view remark,
                Ink ink = Ink::kPlain) {
  const std::size_t room = page.width() - SummaryPage::kLabelWidth - kFigureWidth - 3;
  page.row(label, page.ink(right(value, kFigureWidth) + "   " + cut(remark, room, page.glyphs()), ink));
}

std::string extent(const RunResult& result, const Counts& counts) {
  std::string text;
  const auto add = [&text](std::uint64_t count, std::string_view one, std::string_view many) {
    if (count == 0) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count_text(count), count == 1 ? one : many);
  };
  if (result.iterations != counts.requests()) add(result.iterations, "iteration", "iterations");
  add(result.vus_max, "user at most", "users at most");
  add(counts.connections_opened, "connection", "connections");
  add(counts.resent, "request sent again", "requests sent again");
  add(result.late, "late datagram", "late datagrams");
  add(result.lost_with_executor, "lost with an executor", "lost with an executor");
  return text;
}

std::string error_share(const Counts& counts) {
  if (counts.concluded() == 0) return "";
  const std::uint64_t redirected = counts.requests() - counts.concluded();
  const std::string share = percent_text(counts.errors(), counts.concluded());
  return redirected == 0 ? share : fmt::format("{} of {}, without redirects", share, count_text(counts.concluded()));
}

std::string failed_remark(const RunResult& result) {
  const std::string cut =
      result.iterations_cut == 0 ? "" : fmt::format(", {} of them cut at the end", count_text(result.iterations_cut));
  return fmt::format("{} of {} {}{}", percent_text(result.iterations_failed, result.iterations),
                     count_text(result.iterations), result.iterations == 1 ? "iteration" : "iterations", cut);
}

Ink ink_of_status(unsigned status_class) {
  constexpr std::array kInks{Ink::kPlain, Ink::kPlain, Ink::kGood, Ink::kAccent, Ink::kWarn, Ink::kBad};
  return kInks[std::min<std::size_t>(status_class, kInks.size() - 1)];
}

}  // namespace

void write_title(SummaryPage& page, const RunResult& result) {
  const std::string title = page.safe_cut(result.name.empty() ? result.target : result.name, page.width());
  page.gap();
  page.line(page.ink(title, Ink::kStrong));
  const std::string separator = fmt::format("  {}  ", page.glyph("·", "|"));
  const std::string load = page.safe(result.load_description), protocol = page.safe(result.protocol);
  std::string line = protocol;
  if (!load.empty()) line += (line.empty() ? "" : separator) + load;
  line = cut(line, page.width(), page.glyphs());
  if (!result.name.empty() && !result.target.empty()) {
    const std::size_t used = cells(line) + (line.empty() ? 0 : cells(separator));
    // A long address gets a line of its own instead of being cut to nothing.
    const std::string target = page.safe(result.target);
    if (used + cells(target) <= page.width()) {
      line = target + (line.empty() ? "" : separator) + line;
    } else {
      page.line(page.ink(cut(target, page.width(), page.glyphs()), Ink::kAccent));
    }
  }
  if (!line.empty()) page.line(page.ink(line, Ink::kAccent));
}

void write_totals(SummaryPage& page, const RunResult& result, const Counts& counts) {
  page.gap();
  const std::uint64_t errors = counts.errors();
  figure_row(page, "requests", count_text(counts.requests()), rate_text(result.rate_per_s()), Ink::kStrong);
  figure_row(page, "errors", count_text(errors), error_share(counts), errors == 0 ? Ink::kGood : Ink::kBad);
  if (result.iterations_failed != 0)
    figure_row(page, "failed", count_text(result.iterations_failed), failed_remark(result), Ink::kBad);
  figure_row(page, "received", bytes_text(counts.bytes_received), per_second(counts.bytes_received, result.elapsed));
  figure_row(page, "sent", bytes_text(counts.bytes_sent), per_second(counts.bytes_sent, result.elapsed));
  figure_row(page, "elapsed", elapsed_text(result.elapsed, page.glyphs()), extent(result, counts));
  if (result.wall > result.elapsed)
    figure_row(page, "wall time", elapsed_text(result.wall, page.glyphs()),
               fmt::format("paused for {}", elapsed_text(result.wall - result.elapsed, page.glyphs())));
  if (result.warmup_requests != 0)
    figure_row(page, "warm-up", count_text(result.warmup_requests), "requests before, not counted");
}

void write_arrivals(SummaryPage& page, const RunResult& result) {
  if (!result.open_loop) return;
  page.gap();
  if (result.asked_rate_per_s > 0) figure_row(page, "asked rate", rate_text(result.asked_rate_per_s), "iterations");
  figure_row(page, "achieved", rate_text(achieved_rate_per_s(result)), "",
             fell_behind(result) ? Ink::kBad : Ink::kPlain);
  const std::string share = percent_text(result.dropped, result.dropped + result.iterations);
  figure_row(page, "dropped", count_text(result.dropped),
             result.dropped == 0 ? "" : share + ", because no user was free",
             result.dropped == 0 ? Ink::kPlain : Ink::kBad);
  if (result.lag.empty()) return;
  figure_row(page, "lag p99", page.latency(result.lag.value_at_percentile(99)),
             fmt::format("p50 {}, max {}: the generator's own delay", page.latency(result.lag.value_at_percentile(50)),
                         page.latency(result.lag.max())));
}

void write_statuses(SummaryPage& page, const Counts& counts) {
  std::map<unsigned, std::vector<std::pair<unsigned, std::uint64_t>>> classes;
  for (const auto& [status, count] : counts.statuses) classes[status / 100].emplace_back(status, count);
  std::string_view label = "status";
  for (const auto& [status_class, codes] : classes) {
    std::uint64_t total = 0;
    std::string list;
    for (const auto& [status, count] : codes) {
      total += count;
      list += fmt::format("{}{} {} {}", list.empty() ? "" : ", ", status, page.glyph("×", "x"), count_text(count));
    }
    const std::size_t room = page.width() - SummaryPage::kLabelWidth - kFigureWidth - 8;
    page.row(label, page.ink(fmt::format("{}xx", status_class), ink_of_status(status_class)) +
                        right(count_text(total), kFigureWidth - 3) + "   " +
                        page.ink(cut(list, room, page.glyphs()), Ink::kFaint));
    label = "";
  }
}

void write_answers(SummaryPage& page, const Counts& counts) {
  if (counts.requests() == 0) return;
  if (!counts.statuses.empty()) {
    page.gap();
    write_statuses(page, counts);
  }
  if (counts.errors() == 0) return;
  page.gap();
  std::string_view label = "outcomes";
  std::size_t name_width = 0;
  for (std::size_t i = 0; i < results::kOutcomeCount; ++i) {
    if (counts.outcomes[i] != 0) name_width = std::max(name_width, results::name(static_cast<Outcome>(i)).size());
  }
  for (std::size_t i = 0; i < results::kOutcomeCount; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    const std::uint64_t count = counts.outcomes[i];
    if (count == 0) continue;
    figure_row(page, label, count_text(count),
               fmt::format("{}  {}  {}", left(percent_text(count, counts.requests()), 6),
                           left(results::name(outcome), name_width), results::description(outcome)),
               results::is_error(outcome) ? Ink::kBad : Ink::kPlain);
    label = "";
  }
}

}  // namespace hyperscale::report
