// Checks and metrics of scripts in the HTML report.
#include "base/number_text.h"
#include "report/html_sections.h"
#include "report/html_table.h"
#include "report/metric_text.h"
#include "results/saturating.h"

#include <array>

#include <fmt/format.h>

namespace hyperscale::report {

std::string html_checks(const results::RunResult& result) {
  if (result.checks.empty()) return "";
  std::string table = head_row(std::array<std::string_view, 4>{"Check", "Passed", "Failed", "Pass rate"}) + "<tbody>\n";
  for (const results::CheckResult& check : result.checks) {
    const bool good = check.failed == 0;
    table += fmt::format(
        "<tr><td class=\"wrap{}\">{}{}</td>{}{}{}</tr>\n", good ? "" : " bad", escaped(check.name),
        check.example.empty() ? "" : element("span", "note", check.example), cell(count_text(check.passed), "n"),
        cell(count_text(check.failed), good ? "n" : "n bad"),
        cell(percent_text(check.passed, results::saturating_add(check.passed, check.failed)), good ? "n" : "n bad"));
  }
  return table_section("Checks", table + "</tbody>\n");
}

std::string html_metrics(const results::RunResult& result) {
  if (result.metrics.empty()) return "";
  std::string table =
      "<thead><tr><th>Metric</th><th>Kind</th><th class=\"n\">Value</th><th>Besides</th></tr></thead>\n<tbody>\n";
  for (const results::MetricResult& metric : result.metrics) {
    const MetricText text = metric_text(metric, result.elapsed);
    table += fmt::format("<tr>{}{}{}{}</tr>\n", cell(metric.name, "wrap"), cell(results::name(metric.kind)),
                         cell(text.value, "n"), cell(text.remark, "wrap"));
  }
  return table_section("Metrics", table + "</tbody>\n");
}

}  // namespace hyperscale::report
