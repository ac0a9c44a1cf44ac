#include "live/live_json.h"

#include "base/json_writer.h"

namespace hyperscale::live {
namespace {

std::string_view word(tui::WorkflowState state) {
  switch (state) {
    case tui::WorkflowState::kWaiting:
      return "waiting";
    case tui::WorkflowState::kRunning:
      return "running";
    case tui::WorkflowState::kPaused:
      return "paused";
    case tui::WorkflowState::kDone:
      return "done";
    case tui::WorkflowState::kFailed:
      break;
  }
  return "failed";
}

std::string_view word(tui::ThresholdState state) {
  switch (state) {
    case tui::ThresholdState::kPending:
      return "pending";
    case tui::ThresholdState::kPassing:
      return "passing";
    case tui::ThresholdState::kFailing:
      break;
  }
  return "failing";
}

void milliseconds(JsonWriter& json, std::string_view key, Duration duration) {
  json.key(key);
  json.milliseconds(duration);
}

void put_step(JsonWriter& json, const tui::StepView& step) {
  json.begin_object();
  json.field("name", step.name);
  json.field("requests", step.requests);
  json.field("errors", step.errors);
  json.field("rate_per_s", step.rate_per_s);
  milliseconds(json, "p50_ms", step.p50);
  milliseconds(json, "p95_ms", step.p95);
  milliseconds(json, "p99_ms", step.p99);
  milliseconds(json, "max_ms", step.max);
  json.end_object();
}

void put_totals(JsonWriter& json, const tui::LiveView& view) {
  json.field("requests", view.requests);
  json.field("errors", view.errors);
  json.field("rate_per_s", view.rate_per_s);
  json.field("total_rate_per_s", view.total_rate_per_s);
  if (view.asked_rate_per_s > 0) json.field("asked_rate_per_s", view.asked_rate_per_s);
  milliseconds(json, "p50_ms", view.p50);
  milliseconds(json, "p99_ms", view.p99);
  json.field("bytes_sent", view.bytes_sent);
  json.field("bytes_received", view.bytes_received);
  json.field("users", view.vus_active);
  json.field("iterations", view.iterations);
  json.field("iterations_failed", view.iterations_failed);
  json.field("dropped", view.dropped);
  milliseconds(json, "lag_p99_ms", view.lag_p99);
  json.field("executors", view.executors_alive);
  json.field("http_version", view.http_version);
  json.key("outcomes");
  json.begin_object();
  for (std::size_t i = 0; i < view.outcomes.size(); ++i)
    if (view.outcomes[i] > 0) json.field(results::name(static_cast<results::Outcome>(i)), view.outcomes[i]);
  json.end_object();
}

void put_thresholds(JsonWriter& json, const tui::LiveView& view) {
  if (view.thresholds.empty()) return;
  json.key("thresholds");
  json.begin_array();
  for (const tui::ThresholdView& threshold : view.thresholds) {
    json.begin_object();
    json.field("threshold", threshold.text);
    json.field("actual", threshold.actual);
    json.field("state", word(threshold.state));
    json.end_object();
  }
  json.end_array();
}

void put_workflows(JsonWriter& json, const tui::LiveView& view) {
  json.key("workflows");
  json.begin_array();
  for (const tui::WorkflowView& workflow : view.workflows) {
    json.begin_object();
    json.field("name", workflow.name);
    json.field("state", word(workflow.state));
    json.key("steps");
    json.begin_array();
    for (const tui::StepView& step : workflow.steps) put_step(json, step);
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string_view word(tui::RunState state) {
  switch (state) {
    case tui::RunState::kStarting:
      return "starting";
    case tui::RunState::kWarmUp:
      return "warm_up";
    case tui::RunState::kRunning:
      return "running";
    case tui::RunState::kPaused:
      return "paused";
    case tui::RunState::kStopping:
      return "stopping";
    case tui::RunState::kDone:
      break;
  }
  return "done";
}

std::string live_json(const tui::LiveView& view, std::uint64_t tick) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("run_id", view.run_id);
  json.field("name", view.run_name);
  json.field("state", word(view.state));
  json.field("tick", tick);
  json.key("elapsed_s");
  json.seconds(view.elapsed);
  json.key("planned_s");
  json.seconds(view.planned);
  put_totals(json, view);
  put_thresholds(json, view);
  put_workflows(json, view);
  json.end_object();
  std::string text = json.take();
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace hyperscale::live
