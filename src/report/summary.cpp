#include "report/summary.h"

#include "report/summary_page.h"
#include "report/summary_sections.h"

namespace hyperscale::report {

std::string text_summary(const results::RunResult& result, std::span<const results::Verdict> verdicts,
                         const SummaryStyle& style) {
  const results::Counts counts = result.total_counts();
  const results::Series series = result.total_series();
  SummaryPage page(style);
  write_title(page, result);
  write_totals(page, result, counts);
  write_arrivals(page, result);
  write_answers(page, counts);
  write_latency_table(page, result, series);
  write_workflows(page, result);
  write_steps(page, result);
  write_checks(page, result);
  write_metrics(page, result);
  write_distribution(page, series.duration);
  write_failures(page, result);
  write_changes(page, result);
  write_executors(page, result);
  write_warnings(page, result);
  write_thresholds(page, verdicts);
  return page.take();
}

}  // namespace hyperscale::report
