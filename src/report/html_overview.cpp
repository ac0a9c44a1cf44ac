// The upper part of the HTML report: header with the verdict, key figures, warnings.
#include "base/duration_text.h"
#include "base/number_text.h"
#include "report/arrivals.h"
#include "report/change_text.h"
#include "report/html_sections.h"
#include "report/html_text.h"
#include "report/latency_figures.h"
#include "report/wall_time_text.h"
#include "report/warnings.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

using results::RunResult;

std::string card(std::string_view title, std::string_view value, std::string_view remark,
                 std::string_view css_class = "") {
  return fmt::format("<dl class=\"card {}\">{}{}{}</dl>\n", css_class, element("dt", "", title),
                     element("dd", "", value), element("dd", "", remark));
}

std::string transfer_remark(const results::Counts& counts, Duration elapsed) {
  const double seconds = hyperscale::seconds(elapsed);
  const std::string rate =
      seconds > 0 ? bytes_per_second_text(static_cast<double>(counts.bytes_received) / seconds) + ", " : "";
  return fmt::format("{}{} sent", rate, bytes_text(counts.bytes_sent));
}

std::string arrivals_cards(const RunResult& result) {
  if (!result.open_loop) return "";
  const bool behind = fell_behind(result);
  const std::string asked = result.asked_rate_per_s > 0 ? fmt::format("{} asked", rate_text(result.asked_rate_per_s))
                                                        : std::string("iterations started");
  std::string html = card("Arrival rate", rate_text(achieved_rate_per_s(result)), asked, behind ? "bad" : "");
  html += card("Dropped", count_text(result.dropped),
               result.dropped == 0 ? "every iteration could start"
                                   : percent_text(result.dropped, result.dropped + result.iterations) +
                                         " of iterations, no user was free",
               result.dropped == 0 ? "" : "bad");
  if (!result.lag.empty()) {
    html += card("Generator lag p99", latency_text(result.lag.value_at_percentile(99)),
                 latency_text(result.lag.max()) + " at most, part of duration");
  }
  return html;
}

}  // namespace

Badge badge_of(const RunResult& result, std::span<const results::Verdict> verdicts) {
  const auto failed = std::ranges::count(verdicts, false, &results::Verdict::passed);
  if (failed != 0) return {"bad", fmt::format("Failed: {} of {} thresholds", failed, verdicts.size())};
  if (result.partial) return {"warn", "Incomplete: a share was lost"};
  if (result.interrupted) return {"warn", "Interrupted"};
  if (!verdicts.empty()) return {"good", "Passed"};
  return {"plain", "Completed, no thresholds"};
}

std::string html_header(const RunResult& result, const Badge& badge) {
  std::string html = "<header>\n<div>";
  html += element("h1", "", result.name.empty() ? result.target : result.name);
  if (!result.name.empty()) html += element("p", "target mono", result.target);
  std::string facts = result.protocol;
  for (const std::string& fact : {result.load_description, readable_time(result.started)}) {
    if (!fact.empty()) facts += (facts.empty() ? "" : " · ") + fact;
  }
  html += element("p", "load", facts);
  if (!result.tags.empty()) {
    html += "<ul class=\"tags\">";
    for (const auto& [tag, value] : result.tags) html += element("li", "", fmt::format("{}: {}", tag, value));
    html += "</ul>";
  }
  return html + "</div>\n" + element("div", fmt::format("badge {}", badge.css_class), badge.text) + "\n</header>\n";
}

std::string html_cards(const RunResult& result, const results::Counts& counts, const results::Series& series) {
  const LatencyFigures duration = latency_figures(series.duration);
  const std::uint64_t requests = counts.requests(), errors = counts.errors();
  std::string html = fmt::format("<section class=\"cards{}\">\n", result.open_loop ? " many" : "");
  html += card("Throughput", rate_text(result.rate_per_s()), "requests per second");
  html += card("Requests", count_text(requests), fmt::format("in {}", elapsed_text(result.elapsed)));
  html += card("Errors", counts.concluded() == 0 ? "-" : percent_text(errors, counts.concluded()),
               fmt::format("{} {}", count_text(errors), errors == 1 ? "request" : "requests"),
               requests == 0 ? "" : (errors == 0 ? "good" : "bad"));
  if (result.iterations_failed != 0) {
    html += card("Iterations failed", percent_text(result.iterations_failed, result.iterations),
                 fmt::format("{} of {}", count_text(result.iterations_failed), count_text(result.iterations)), "bad");
  }
  if (duration.count != 0) {
    html += card("Duration p50", latency_text(duration.p50), "mean " + latency_text(duration.mean));
    html += card("Duration p99", latency_text(duration.p99), "p99.9 " + latency_text(duration.p99_9));
    html += card("Longest", latency_text(duration.max), "shortest " + latency_text(duration.min));
  }
  html += card("Received", bytes_text(counts.bytes_received), transfer_remark(counts, result.elapsed));
  html += arrivals_cards(result);
  return html + "</section>\n";
}

std::string html_changes(const RunResult& result) {
  if (result.changes.empty()) return "";
  std::string html = "<ul class=\"changes\" aria-label=\"Changes while it ran\">\n";
  for (const results::ChangeRecord& change : result.changes) html += element("li", "", change_text(change)) + "\n";
  return html + "</ul>\n";
}

std::string html_warnings(const RunResult& result) {
  const std::vector<std::string> warnings = warnings_of(result);
  if (warnings.empty()) return "";
  std::string html = "<ul class=\"warnings\" aria-label=\"Warnings\">\n";
  for (const std::string& warning : warnings) html += element("li", "", warning) + "\n";
  return html + "</ul>\n";
}

}  // namespace hyperscale::report
