#include "node/run/run_metrics.h"

#include <utility>
#include <vector>

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

namespace hyperscale::node {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

class Page {
 public:
  using Labels = std::vector<std::pair<std::string, std::string>>;

  // Begins a family; the samples that follow belong to it.
  void family(std::string name, std::string help, MetricType type) {
    families_.push_back(
        {.name = "hyperscale_run_" + std::move(name), .help = std::move(help), .type = type, .metric = {}});
  }
  void sample(double value, const Labels& labels = {}) {
    ClientMetric& metric = add(labels);
    if (families_.back().type == MetricType::Counter) {
      metric.counter.value = value;
    } else {
      metric.gauge.value = value;
    }
  }
  void summary(const tui::StepView& step, const Labels& labels) {
    ClientMetric& metric = add(labels);
    metric.summary.sample_count = step.requests;
    for (const auto& [quantile, value] :
         {std::pair(0.5, step.p50), {0.95, step.p95}, {0.99, step.p99}, {1.0, step.max}})
      metric.summary.quantile.push_back({quantile, static_cast<double>(value.count()) / 1e9});
  }
  std::string text() const { return prometheus::TextSerializer().Serialize(families_); }

 private:
  ClientMetric& add(const Labels& labels) {
    ClientMetric& metric = families_.back().metric.emplace_back();
    for (const auto& [name, value] : labels) metric.label.push_back({name, value});
    return metric;
  }
  std::vector<MetricFamily> families_;
};

double seconds(Duration duration) {
  return static_cast<double>(duration.count()) / 1e9;
}

void put_run(Page& page, const tui::LiveView& view) {
  page.family("info", "The run, always 1", MetricType::Gauge);
  page.sample(1, {{"run_id", view.run_id}, {"name", view.run_name}, {"state", std::string(name(view.state))}});
  page.family("elapsed_seconds", "Time since counting began", MetricType::Gauge);
  page.sample(seconds(view.elapsed));
  page.family("rate_per_second", "Requests answered per second, over the last second", MetricType::Gauge);
  page.sample(view.rate_per_s);
  page.family("users", "Users that have a request under way", MetricType::Gauge);
  page.sample(view.vus_active);
  page.family("iterations_total", "Iterations that ended", MetricType::Counter);
  page.sample(static_cast<double>(view.iterations));
  page.family("dropped_iterations_total", "Iterations that could not start in time", MetricType::Counter);
  page.sample(static_cast<double>(view.dropped));
  page.family("lag_seconds", "How late the generator itself starts requests, 99th percentile", MetricType::Gauge);
  page.sample(seconds(view.lag_p99));
  page.family("sent_bytes_total", "Bytes sent", MetricType::Counter);
  page.sample(static_cast<double>(view.bytes_sent));
  page.family("received_bytes_total", "Bytes received", MetricType::Counter);
  page.sample(static_cast<double>(view.bytes_received));
  page.family("executors", "Executor processes that are alive", MetricType::Gauge);
  page.sample(view.executors_alive);
  page.family("outcomes_total", "Requests by how they ended", MetricType::Counter);
  for (std::size_t i = 0; i < view.outcomes.size(); ++i)
    page.sample(static_cast<double>(view.outcomes[i]),
                {{"outcome", std::string(results::name(static_cast<results::Outcome>(i)))}});
}

template <typename Put>
void for_each_step(const tui::LiveView& view, const Put& put) {
  for (const tui::WorkflowView& workflow : view.workflows)
    for (const tui::StepView& step : workflow.steps) put(step, {{"workflow", workflow.name}, {"step", step.name}});
}

void put_steps(Page& page, const tui::LiveView& view) {
  using Labels = Page::Labels;
  page.family("requests_total", "Requests that ended", MetricType::Counter);
  for_each_step(view, [&](const tui::StepView& step, const Labels& labels) {
    page.sample(static_cast<double>(step.requests), labels);
  });
  page.family("errors_total", "Requests that failed", MetricType::Counter);
  for_each_step(view, [&](const tui::StepView& step, const Labels& labels) {
    page.sample(static_cast<double>(step.errors), labels);
  });
  page.family("duration_seconds", "Time of requests since counting began", MetricType::Summary);
  for_each_step(view, [&](const tui::StepView& step, const Labels& labels) { page.summary(step, labels); });
}

void put_thresholds(Page& page, const tui::LiveView& view) {
  if (view.thresholds.empty()) return;
  page.family("threshold_failing", "1 while the threshold does not hold", MetricType::Gauge);
  for (const tui::ThresholdView& threshold : view.thresholds)
    page.sample(threshold.state == tui::ThresholdState::kFailing ? 1 : 0, {{"threshold", threshold.text}});
}

}  // namespace

std::string run_metrics(const tui::LiveView& view) {
  Page page;
  put_run(page, view);
  put_steps(page, view);
  put_thresholds(page, view);
  return page.text();
}

}  // namespace hyperscale::node
