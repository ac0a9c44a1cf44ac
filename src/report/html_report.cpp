#include "report/html_report.h"

#include "report/html_charts.h"
#include "report/html_sections.h"
#include "report/html_style.h"
#include "report/html_text.h"
#include "report/wall_time_text.h"

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

std::string charts(const results::RunResult& result, const results::Series& series) {
  const std::string all = throughput_chart(result) + latency_over_time_chart(result) + percentile_chart(series) +
                          distribution_chart(series.duration);
  return all.empty() ? "" : "<section class=\"charts\">\n" + all + "</section>\n";
}

std::string head(const results::RunResult& result) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<meta name=\"generator\" content=\"hyperscale\">\n<title>{} – load test</title>\n<style>{}</style>\n</head>\n",
      escaped(result.name.empty() ? result.target : result.name), kHtmlStyle);
}

std::string foot(const results::RunResult& result, const BuildInfoText& build) {
  const std::string version = build.version.empty() ? "" : " " + build.version;
  return fmt::format("<footer>Made by Hyperscale{} from the run of {}.</footer>\n", escaped(version),
                     escaped(readable_time(result.started)));
}

}  // namespace

std::string html_report(const results::RunResult& result, std::span<const results::Verdict> verdicts,
                        const BuildInfoText& build) {
  const results::Counts counts = result.total_counts();
  const results::Series series = result.total_series();
  std::string html = head(result) + "<body>\n<main>\n";
  html += html_header(result, badge_of(result, verdicts));
  html += html_cards(result, counts, series);
  html += html_warnings(result);
  html += html_changes(result);
  html += html_thresholds(verdicts);
  html += charts(result, series);
  html += html_latency_table(result, series);
  html += html_steps(result);
  html += html_checks(result);
  html += html_metrics(result);
  html += html_answers(counts);
  html += html_failures(result);
  html += html_environment(result, counts, build);
  html += foot(result, build) + "</main>\n</body>\n</html>\n";
  return html;
}

}  // namespace hyperscale::report
