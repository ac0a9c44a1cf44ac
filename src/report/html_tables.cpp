// The tables of the HTML report.
#include "base/number_text.h"
#include "report/failure_list.h"
#include "report/html_sections.h"
#include "report/html_table.h"
#include "report/latency_figures.h"
#include "report/metric_text.h"
#include "report/wall_time_text.h"

#include <array>
#include <span>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

using results::RunResult;

std::string latency_cells(const LatencyFigures& figures) {
  std::string html;
  for (const LatencyColumn& column : kLatencyColumns) html += cell(latency_text(figures.*column.value), "n");
  return html;
}

std::vector<std::string_view> with_latency_titles(std::vector<std::string_view> titles) {
  for (const LatencyColumn& column : kLatencyColumns) titles.push_back(column.title);
  return titles;
}

std::string statuses_table(const results::Counts& counts) {
  std::string table = head_row(std::array<std::string_view, 3>{"Status", "Answers", "Share"}) + "<tbody>\n";
  for (const auto& [status, count] : counts.statuses) {
    const bool bad = status >= 400;
    table += fmt::format("<tr>{}{}{}</tr>\n", cell(fmt::format("{}", status), bad ? "name bad" : "name"),
                         cell(count_text(count), "n"), cell(percent_text(count, counts.requests()), "n"));
  }
  return table_section("Status codes", table + "</tbody>\n");
}

std::string outcomes_table(const results::Counts& counts) {
  std::string table = head_row(std::array<std::string_view, 3>{"Outcome", "Requests", "Share"}) + "<tbody>\n";
  for (std::size_t i = 0; i < results::kOutcomeCount; ++i) {
    if (counts.outcomes[i] == 0) continue;
    const auto outcome = static_cast<results::Outcome>(i);
    table += fmt::format("<tr><td class=\"name{}\">{}{}</td>{}{}</tr>\n", results::is_error(outcome) ? " bad" : "",
                         escaped(results::name(outcome)), element("span", "note", results::description(outcome)),
                         cell(count_text(counts.outcomes[i]), "n"),
                         cell(percent_text(counts.outcomes[i], counts.requests()), "n"));
  }
  return table_section("Outcomes", table + "</tbody>\n");
}

std::string_view name_of(results::ExecutorEnd end) {
  if (end == results::ExecutorEnd::kFinished) return "finished";
  return end == results::ExecutorEnd::kRestarted ? "restarted" : "lost";
}

std::string iterations_text(const RunResult& result) {
  std::string text = count_text(result.iterations);
  if (result.iterations_failed != 0) text += fmt::format(", {} failed", count_text(result.iterations_failed));
  if (result.iterations_cut != 0) text += fmt::format(" ({} cut at the end)", count_text(result.iterations_cut));
  return text;
}

std::string executors_table(const RunResult& result) {
  if (result.executors.empty()) return "";
  std::string table =
      "<thead><tr><th>Executor</th><th class=\"n\">Core</th><th class=\"n\">CPU time</th><th class=\"n\">Busy</th>"
      "<th>End</th></tr></thead>\n<tbody>\n";
  for (const results::ExecutorReport& executor : result.executors) {
    const bool finished = executor.end == results::ExecutorEnd::kFinished;
    std::string end(name_of(executor.end));
    if (!executor.message.empty()) end += ": " + executor.message;
    table += fmt::format("<tr>{}{}{}{}{}</tr>\n", cell(fmt::format("{}", executor.index), "name"),
                         cell(executor.core < 0 ? "any" : fmt::format("{}", executor.core), "n"),
                         cell(three_digits(executor.cpu_s) + "s", "n"),
                         cell(fmt::format("{:.0f}%", executor.busy_fraction * 100), "n"),
                         cell(end, finished ? "wrap" : "wrap bad"));
  }
  return table_section("Executors", table + "</tbody>\n");
}

}  // namespace

std::string html_thresholds(std::span<const results::Verdict> verdicts) {
  if (verdicts.empty()) return "";
  std::string table = head_row(std::array<std::string_view, 3>{"Threshold", "Actual", "Verdict"}) + "<tbody>\n";
  for (const results::Verdict& verdict : verdicts) {
    table += fmt::format(
        "<tr><td class=\"wrap\"><code>{}</code></td>{}<td class=\"n\">{}</td></tr>\n", escaped(verdict.threshold),
        cell(verdict.actual, verdict.passed ? "n" : "n bad"),
        verdict.passed ? element("span", "pill good", "✓ passed") : element("span", "pill bad", "✗ failed"));
  }
  return table_section("Thresholds", table + "</tbody>\n");
}

std::string html_latency_table(const RunResult& result, const results::Series& series) {
  const std::vector<LatencyRow> rows = latency_rows(series, result.total_counts(), result.open_loop);
  if (rows.empty()) return "";
  std::string table = head_row(with_latency_titles({"Series"})) + "<tbody>\n";
  for (const LatencyRow& row : rows) {
    table += fmt::format("<tr><td class=\"name\">{}{}</td>{}</tr>\n", escaped(row.name),
                         element("span", "note", row.meaning), latency_cells(row.figures));
  }
  return table_section("Latency", table + "</tbody>\n");
}

std::string html_steps(const RunResult& result) {
  if (result.steps.size() < 2) return "";
  std::string table = head_row(with_latency_titles({"Step", "Requests", "Errors"})) + "<tbody>\n";
  for (const results::StepResult& step : result.steps) {
    if (!was_measured(step)) continue;
    const std::uint64_t requests = step.counts.requests(), errors = step.counts.errors();
    table += fmt::format(
        "<tr>{}{}{}{}</tr>\n", cell(step_label(step), "wrap"), cell(count_text(requests), "n"),
        cell(requests == 0 ? "-" : percent_text(errors, step.counts.concluded()), errors == 0 ? "n" : "n bad"),
        latency_cells(latency_figures(step.series.duration)));
  }
  return table_section("Steps, by duration", table + "</tbody>\n");
}

std::string html_answers(const results::Counts& counts) {
  if (counts.requests() == 0) return "";
  std::string html = "<div class=\"pair\">\n";
  if (!counts.statuses.empty()) html += statuses_table(counts);
  return html + outcomes_table(counts) + "</div>\n";
}

std::string html_failures(const RunResult& result) {
  const std::vector<ListedFailure> failures = listed_failures(result);
  if (failures.empty()) return "";
  std::string table =
      "<thead><tr><th>Failure</th><th>Message and start of the body</th><th "
      "class=\"n\">Count</th></tr></thead>\n<tbody>\n";
  for (const auto& [failure, step] : failures) {
    const std::string kind = failure.status == 0 ? std::string(results::name(failure.outcome))
                                                 : fmt::format("{} {}", results::name(failure.outcome), failure.status);
    table += fmt::format("<tr><td class=\"name bad\">{}{}</td><td class=\"wrap\">{}{}</td>{}</tr>\n", escaped(kind),
                         result.steps.size() > 1 ? element("span", "note", step) : "", escaped(failure.message),
                         failure.body_start.empty() ? "" : element("pre", "", failure.body_start),
                         cell(count_text(failure.count), "n"));
  }
  return table_section("First failures", table + "</tbody>\n");
}

std::string html_environment(const RunResult& result, const results::Counts& counts, const BuildInfoText& build) {
  std::string table = "<tbody>\n";
  const auto add = [&table](std::string_view name, const std::string& text) {
    if (!text.empty()) table += "<tr>" + cell(name, "name") + cell(text, "wrap") + "</tr>\n";
  };
  add("Run", result.run_id);
  add("Started", rfc3339(result.started));
  add("Wall time", result.wall > result.elapsed ? fmt::format("{}, paused for {}", elapsed_text(result.wall),
                                                              elapsed_text(result.wall - result.elapsed))
                                                : "");
  add("Planned", result.planned > Duration::zero() ? elapsed_text(result.planned) : "");
  add("Users at most", count_text(result.vus_max));
  add("Iterations", iterations_text(result));
  add("Connections", count_text(counts.connections_opened));
  add("HTTP version", results::spoken_text(result.http));
  const results::ConnectionFrames& frames = result.connection_frames;
  if (frames != results::ConnectionFrames())
    add("Bytes of connections",
        fmt::format("{} sent, {} received", bytes_text(frames.bytes_sent), bytes_text(frames.bytes_received)));
  add("TLS sessions resumed", counts.tls_resumed == 0 ? "" : count_text(counts.tls_resumed));
  add("Redirects followed", counts.redirects_followed == 0 ? "" : count_text(counts.redirects_followed));
  add("Requests sent again", counts.resent == 0 ? "" : count_text(counts.resent));
  add("Late datagrams", result.late == 0 ? "" : count_text(result.late));
  add("Lost with an executor", result.lost_with_executor == 0 ? "" : count_text(result.lost_with_executor));
  add("Warm-up requests", result.warmup_requests == 0 ? "" : count_text(result.warmup_requests));
  add("Hyperscale", build.version + (build.commit.empty() ? "" : " (" + build.commit + ")"));
  add("Compiler", build.compiler);
  add("Machine", build.machine);
  return "<div class=\"pair\">\n" + table_section("Environment", table + "</tbody>\n") + executors_table(result) +
         "</div>\n";
}

}  // namespace hyperscale::report
