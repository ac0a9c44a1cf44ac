// The sections of the HTML report. Each is a fragment of HTML, empty without data.
//
// Pure functions, any thread.
#pragma once

#include "report/build_info_text.h"
#include "results/run_result.h"
#include "results/threshold.h"

#include <span>
#include <string>

namespace hyperscale::report {

// Text of the badge at the top, and its class in the style sheet.
struct Badge {
  std::string_view css_class;
  std::string text;
};
Badge badge_of(const results::RunResult& result, std::span<const results::Verdict> verdicts);

std::string html_header(const results::RunResult& result, const Badge& badge);
std::string html_cards(const results::RunResult& result, const results::Counts& counts, const results::Series& series);
std::string html_changes(const results::RunResult& result);
std::string html_warnings(const results::RunResult& result);

std::string html_thresholds(std::span<const results::Verdict> verdicts);
std::string html_latency_table(const results::RunResult& result, const results::Series& series);
std::string html_answers(const results::Counts& counts);  // statuses and outcomes
std::string html_steps(const results::RunResult& result);
std::string html_checks(const results::RunResult& result);
std::string html_metrics(const results::RunResult& result);
std::string html_failures(const results::RunResult& result);
std::string html_environment(const results::RunResult& result, const results::Counts& counts,
                             const BuildInfoText& build);

}  // namespace hyperscale::report
