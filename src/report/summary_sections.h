// The sections of the summary, each written on a page, or omitted if empty.
//
// Pure apart from the page they are given; any thread with a page of its own.
#pragma once

#include "report/summary_page.h"
#include "results/run_result.h"
#include "results/threshold.h"

#include <span>

namespace hyperscale::report {

void write_title(SummaryPage& page, const results::RunResult& result);
void write_totals(SummaryPage& page, const results::RunResult& result, const results::Counts& counts);
void write_arrivals(SummaryPage& page, const results::RunResult& result);  // open loop only
void write_answers(SummaryPage& page, const results::Counts& counts);      // statuses and outcomes
void write_latency_table(SummaryPage& page, const results::RunResult& result, const results::Series& series);
void write_workflows(SummaryPage& page, const results::RunResult& result);  // when there were several
void write_steps(SummaryPage& page, const results::RunResult& result);      // when there is more than one
void write_checks(SummaryPage& page, const results::RunResult& result);
void write_metrics(SummaryPage& page, const results::RunResult& result);
void write_distribution(SummaryPage& page, const SparseHistogram& duration);
void write_failures(SummaryPage& page, const results::RunResult& result);
void write_changes(SummaryPage& page, const results::RunResult& result);    // made while it ran
void write_executors(SummaryPage& page, const results::RunResult& result);  // those that died
void write_warnings(SummaryPage& page, const results::RunResult& result);
void write_thresholds(SummaryPage& page, std::span<const results::Verdict> verdicts);

}  // namespace hyperscale::report
