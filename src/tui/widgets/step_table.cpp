#include "tui/widgets/step_table.h"

#include "base/number_text.h"

#include <fmt/format.h>

namespace hyperscale::tui {
namespace {

TableRow step_row(const live::StepView& step, Glyphs glyphs, Role name_role) {
  const bool answered = step.requests > 0;
  const auto latency = [&](Duration value) {
    return TableCell{answered ? latency_text(value, glyphs) : "-", answered ? Role::kText : Role::kDim};
  };
  const auto or_dim = [&](std::string text, bool strong) {
    return TableCell{std::move(text), strong ? Role::kText : Role::kDim};
  };
  TableRow row{{step.name, answered ? name_role : Role::kDim},
               or_dim(count_text(step.requests), answered),
               or_dim(rate_text(step.rate_per_s), step.rate_per_s > 0),
               {count_text(step.errors), step.errors > 0 ? Role::kBad : Role::kDim},
               {step.errors > 0 ? percent_text(step.errors, step.concluded()) : "", Role::kBad},
               latency(step.p50),
               latency(step.p95),
               latency(step.p99),
               latency(step.max)};
  return row;
}

}  // namespace

Table step_table(const live::WorkflowView& workflow, Glyphs glyphs) {
  Table table{.columns = {{"step", 14, 100},
                          {"requests", 9, 8},
                          {"rate", 8, 7},
                          {"errors", 6, 10},
                          {"", 6, 2},
                          {"p50", 6, 6},
                          {"p95", 6, 5},
                          {"p99", 6, 9},
                          {"max", 6, 4}},
              .rows = {},
              .footer = {},
              .rows_are = "steps"};
  for (const live::StepView& step : workflow.steps) table.rows.push_back(step_row(step, glyphs, Role::kText));
  if (workflow.total && workflow.steps.size() > 1) {
    table.footer.push_back(step_row(*workflow.total, glyphs, Role::kStrong));
  }
  return table;
}

}  // namespace hyperscale::tui
