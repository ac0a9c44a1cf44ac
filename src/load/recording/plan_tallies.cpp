#include "load/recording/plan_tallies.h"

#include <algorithm>

namespace hyperscale::load {
namespace {

// Series that functions may name at run time, or that the URLs of a step get.
constexpr std::size_t kNamedSeriesMax = 64;

// A single step with several URLs gets a row for each.
bool has_url_rows(const plan::Plan& plan) {
  if (plan.script.exists() || plan.steps.size() != 1) return false;
  const std::vector<plan::Request>& requests = plan.steps.front().requests;
  return std::ranges::any_of(requests, [&](const plan::Request& each) { return each.url != requests.front().url; });
}

}  // namespace

TallyShape tally_shape(const plan::Plan& plan) {
  const bool parts = has_url_rows(plan);
  return {.steps = plan.steps.size(),
          .checks = plan.checks.size(),
          .metrics = plan.metrics.size(),
          .named = plan.script.exists() || parts ? kNamedSeriesMax : 0,
          .named_are_parts = parts};
}

TallyNames tally_names(const plan::Plan& plan) {
  TallyNames names;
  for (const plan::Step& step : plan.steps) {
    names.steps.push_back(step.label.empty() ? step.name : step.label);
    names.step_tags.push_back(step.tags);
  }
  for (const plan::Check& check : plan.checks) names.checks.push_back(check.name);
  for (const plan::Metric& metric : plan.metrics)
    names.metrics.push_back(
        {.name = metric.name, .kind = static_cast<results::MetricKind>(metric.kind), .of_run = metric.reads.empty()});
  return names;
}

}  // namespace hyperscale::load
