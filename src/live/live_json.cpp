#include "live/live_json.h"

#include "base/json_writer.h"

namespace hyperscale::live {
namespace {

std::string_view word(WorkflowState state) {
  switch (state) {
    case WorkflowState::kWaiting:
      return "waiting";
    case WorkflowState::kRunning:
      return "running";
    case WorkflowState::kPaused:
      return "paused";
    case WorkflowState::kDone:
      return "done";
    case WorkflowState::kFailed:
      break;
  }
  return "failed";
}

std::string_view word(ThresholdState state) {
  switch (state) {
    case ThresholdState::kPending:
      return "pending";
    case ThresholdState::kPassing:
      return "passing";
    case ThresholdState::kFailing:
      break;
  }
  return "failing";
}

void milliseconds(JsonWriter& json, std::string_view key, Duration duration) {
  json.key(key);
  json.milliseconds(duration);
}

void put_step(JsonWriter& json, const StepView& step) {
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

void put_totals(JsonWriter& json, const LiveView& view) {
  json.field("state", word(view.state));
  json.field("tick", view.tick);
  json.key("elapsed_s");
  json.seconds(view.elapsed);
  json.key("planned_s");
  json.seconds(view.planned);
  json.field("requests", view.requests);
  json.field("errors", view.errors);
  json.field("rate_per_s", view.rate_per_s);
  json.field("total_rate_per_s", view.total_rate_per_s);
  if (view.asked_rate_per_s > 0) json.field("asked_rate_per_s", view.asked_rate_per_s);
  milliseconds(json, "p50_ms", view.recent_p50);
  milliseconds(json, "p99_ms", view.recent_p99);
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

void put_thresholds(JsonWriter& json, const LiveView& view) {
  if (view.thresholds.empty()) return;
  json.key("thresholds");
  json.begin_array();
  for (const ThresholdView& threshold : view.thresholds) {
    json.begin_object();
    json.field("threshold", threshold.text);
    json.field("actual", threshold.actual);
    json.field("state", word(threshold.state));
    json.end_object();
  }
  json.end_array();
}

void put_workflows(JsonWriter& json, const LiveView& view) {
  json.key("workflows");
  json.begin_array();
  for (const WorkflowView& workflow : view.workflows) {
    json.begin_object();
    json.field("name", workflow.name);
    json.field("state", word(workflow.state));
    json.key("steps");
    json.begin_array();
    for (const StepView& step : workflow.steps) put_step(json, step);
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

std::string line_of(JsonWriter& json) {
  std::string text = json.take();
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

std::string_view word(RunState state) {
  switch (state) {
    case RunState::kStarting:
      return "starting";
    case RunState::kWarmUp:
      return "warm_up";
    case RunState::kRunning:
      return "running";
    case RunState::kPaused:
      return "paused";
    case RunState::kStopping:
      return "stopping";
    case RunState::kDone:
      break;
  }
  return "done";
}

std::string live_json(const LiveView& view) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("run_id", view.run_id);
  json.field("name", view.run_name);
  put_totals(json, view);
  put_thresholds(json, view);
  put_workflows(json, view);
  json.end_object();
  return line_of(json);
}

std::string status_json(const LiveView& view) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("run_id", view.run_id);
  put_totals(json, view);
  json.end_object();
  return line_of(json);
}

}  // namespace hyperscale::live
