#include "load/recording/plan_tallies.h"

namespace hyperscale::load {
namespace {

// Series that functions may name while they run.
constexpr std::size_t kNamedSeriesMax = 64;

}  // namespace

TallyShape tally_shape(const plan::Plan& plan) {
  return {.steps = plan.steps.size(),
          .checks = plan.checks.size(),
          .metrics = plan.metrics.size(),
          .named = plan.script.exists() ? kNamedSeriesMax : 0};
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
