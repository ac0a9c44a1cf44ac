#include "live/run_metrics.h"

#include "base/duration_text.h"
#include "base/metrics_page.h"

#include <array>

namespace hyperscale::live {
namespace {

void put_run(MetricsPage& page, const LiveView& view) {
  page.gauge("info", "The run, always 1", 1,
             {{"run_id", view.run_id}, {"name", view.run_name}, {"state", std::string(name(view.state))}});
  page.gauge("tick", "Tick of the moment that these figures are of", static_cast<double>(view.tick));
  page.gauge("elapsed_seconds", "Time since counting began", seconds(view.elapsed));
  page.gauge("rate_per_second", "Requests answered per second, over the last second", view.rate_per_s);
  page.gauge("users", "Users that have a request under way", view.vus_active);
  page.counter("iterations_total", "Iterations that ended", static_cast<double>(view.iterations));
  page.counter("failed_iterations_total", "Iterations that failed", static_cast<double>(view.iterations_failed));
  page.counter("dropped_iterations_total", "Iterations that could not start",
               static_cast<double>(view.dropped - view.overdue));
  page.gauge("overdue_iterations", "Iterations that have waited for a user for more than a second",
             static_cast<double>(view.overdue));
  page.gauge("lag_seconds", "How late the generator itself starts requests, 99th percentile", seconds(view.lag_p99));
  page.counter("sent_bytes_total", "Bytes sent", static_cast<double>(view.bytes_sent));
  page.counter("received_bytes_total", "Bytes received", static_cast<double>(view.bytes_received));
  page.gauge("executors", "Executor processes that are alive", view.executors_alive);
  for (std::size_t i = 0; i < view.outcomes.size(); ++i)
    page.counter("outcomes_total", "Requests by how they ended", static_cast<double>(view.outcomes[i]),
                 {{"outcome", std::string(results::name(static_cast<results::Outcome>(i)))}});
}

void put_step(MetricsPage& page, const StepView& step, const MetricsPage::Labels& labels) {
  page.counter("requests_total", "Requests that ended", static_cast<double>(step.requests), labels);
  page.counter("errors_total", "Requests that failed", static_cast<double>(step.errors), labels);
  const std::array<MetricsPage::Quantile, 5> quantiles{{{0.5, seconds(step.p50)},
                                                        {0.95, seconds(step.p95)},
                                                        {0.99, seconds(step.p99)},
                                                        {0.999, seconds(step.p99_9)},
                                                        {1.0, seconds(step.max)}}};
  page.summary("duration_seconds", "Time of requests since counting began",
               {.count = step.durations, .sum = step.durations_sum_s, .quantiles = quantiles}, labels);
}

void put_steps(MetricsPage& page, const LiveView& view) {
  for (const WorkflowView& workflow : view.workflows)
    for (const StepView& step : workflow.steps)
      put_step(page, step, {{"workflow", workflow.name}, {"step", step.name}});
}

void put_thresholds(MetricsPage& page, const LiveView& view) {
  for (const ThresholdView& threshold : view.thresholds)
    page.gauge("threshold_failing", "1 while the threshold does not hold",
               threshold.state == ThresholdState::kFailing ? 1 : 0, {{"threshold", threshold.text}});
}

}  // namespace

std::string run_metrics(const LiveView& view) {
  MetricsPage page("hyperscale_run_");
  put_run(page, view);
  put_steps(page, view);
  put_thresholds(page, view);
  return page.text();
}

}  // namespace hyperscale::live
