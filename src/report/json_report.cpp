#include "report/json_report.h"

#include "base/duration_text.h"
#include "base/json_writer.h"
#include "report/arrivals.h"
#include "report/failure_list.h"
#include "report/json_script.h"
#include "report/latency_figures.h"
#include "report/wall_time_text.h"
#include "report/warnings.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

using results::Counts;
using results::RunResult;
using results::Series;
using Layout = JsonWriter::Layout;

double per_second(std::uint64_t count, Duration time) {
  return time > Duration::zero() ? static_cast<double>(count) / seconds(time) : 0;
}

void write_tags(JsonWriter& json, const std::map<std::string, std::string>& tags) {
  json.key("tags");
  json.begin_object(Layout::kInline);
  for (const auto& [tag, value] : tags) json.field(tag, value);
  json.end_object();
}

void write_milliseconds(JsonWriter& json, std::string_view name, Duration value) {
  json.key(name);
  json.milliseconds(value);
}

void write_figures(JsonWriter& json, std::string_view name, const SparseHistogram& histogram) {
  const LatencyFigures figures = latency_figures(histogram);
  json.key(name);
  json.begin_object(Layout::kInline);
  json.field("count", figures.count);
  write_milliseconds(json, "min", figures.min);
  write_milliseconds(json, "mean", figures.mean);
  write_milliseconds(json, "p50", figures.p50);
  write_milliseconds(json, "p90", figures.p90);
  write_milliseconds(json, "p95", figures.p95);
  write_milliseconds(json, "p99", figures.p99);
  write_milliseconds(json, "p99_9", figures.p99_9);
  write_milliseconds(json, "p99_99", figures.p99_99);
  write_milliseconds(json, "max", figures.max);
  json.end_object();
}

void write_counts(JsonWriter& json, const Counts& counts) {
  json.key("outcomes");
  json.begin_object(Layout::kInline);
  for (std::size_t i = 0; i < results::kOutcomeCount; ++i) {
    if (counts.outcomes[i] != 0) json.field(results::name(static_cast<results::Outcome>(i)), counts.outcomes[i]);
  }
  json.end_object();
  json.key("statuses");
  json.begin_object(Layout::kInline);
  for (const auto& [status, count] : counts.statuses) json.field(fmt::format("{}", status), count);
  json.end_object();
  json.field("bytes_sent", counts.bytes_sent);
  json.field("bytes_received", counts.bytes_received);
  json.field("connections_opened", counts.connections_opened);
  json.field("tls_resumed", counts.tls_resumed);
  json.field("redirects_followed", counts.redirects_followed);
  json.field("resent", counts.resent);
}

// Common fields of totals and steps.
void write_shape(JsonWriter& json, const Counts& counts, const Series& series, Duration elapsed) {
  json.field("requests", counts.requests());
  json.field("errors", counts.errors());
  json.field("rate_per_s", per_second(counts.requests(), elapsed));
  write_figures(json, "duration_ms", series.duration);
  if (results::has_many_errors(counts)) write_figures(json, "ok_duration_ms", series.ok);
  write_figures(json, "service_ms", series.service);
  json.key("phases");
  json.begin_object();
  if (!series.connect.empty()) write_figures(json, "connect_ms", series.connect);
  if (!series.tls.empty()) write_figures(json, "tls_ms", series.tls);
  if (!series.first_byte.empty()) write_figures(json, "first_byte_ms", series.first_byte);
  json.end_object();
  write_counts(json, counts);
}

void write_histogram(JsonWriter& json, std::string_view name, const SparseHistogram& histogram) {
  json.key(name);
  json.begin_object(Layout::kInline);
  json.field("count", histogram.count());
  json.field("saturated", histogram.saturated());
  json.field("min_ns", static_cast<std::uint64_t>(histogram.min().count()));
  json.field("max_ns", static_cast<std::uint64_t>(histogram.max().count()));
  json.key("sum_ns");
  json.number_text(fmt::format("{}", histogram.sum_ns()));
  json.key("buckets");
  json.begin_array();
  histogram.for_each_bucket([&json](const SparseHistogram::Bucket& bucket) {
    json.begin_array();
    json.value(static_cast<std::uint64_t>(bucket.range.low.count()));
    json.value(static_cast<std::uint64_t>(bucket.range.high.count()));
    json.value(bucket.count);
    json.end_array();
  });
  json.end_array();
  json.end_object();
}

void write_failures(JsonWriter& json, const RunResult& result) {
  json.key("failures");
  json.begin_array();
  for (const auto& [failure, step] : listed_failures(result)) {
    json.begin_object(Layout::kInline);
    json.field("step", step);
    json.field("outcome", results::name(failure.outcome));
    json.key("status");
    if (failure.status == 0) {
      json.null();
    } else {
      json.value(std::uint32_t{failure.status});
    }
    json.field("count", failure.count);
    json.field("message", failure.message);
    json.field("body_start", failure.body_start);
    json.end_object();
  }
  json.end_array();
}

void write_steps(JsonWriter& json, const RunResult& result) {
  json.key("steps");
  json.begin_array();
  for (const results::StepResult& step : result.steps) {
    json.begin_object();
    json.field("name", step.name);
    if (!step.tags.empty()) write_tags(json, step.tags);
    if (step.named) json.field("named", true);
    if (step.by_path) json.field("by_path", true);
    write_shape(json, step.counts, step.series, result.elapsed);
    json.key("histograms");
    json.begin_object();
    write_histogram(json, "duration", step.series.duration);
    if (step.series.ok.count() != step.series.duration.count()) write_histogram(json, "ok_duration", step.series.ok);
    write_histogram(json, "service", step.series.service);
    if (!step.series.connect.empty()) write_histogram(json, "connect", step.series.connect);
    if (!step.series.tls.empty()) write_histogram(json, "tls", step.series.tls);
    if (!step.series.first_byte.empty()) write_histogram(json, "first_byte", step.series.first_byte);
    json.end_object();
    json.end_object();
  }
  json.end_array();
}

void write_workflows(JsonWriter& json, const RunResult& result) {
  if (result.workflows.empty()) return;
  json.key("workflows");
  json.begin_array();
  for (const results::WorkflowReport& workflow : result.workflows) {
    json.begin_object(Layout::kInline);
    json.field("name", workflow.name);
    json.field("end", results::name(workflow.end));
    json.field("message", workflow.message);
    json.field("load", workflow.load_description);
    json.field("layer", workflow.layer);
    json.field("cores", workflow.cores);
    json.key("begin_s");
    json.seconds(workflow.begin);
    json.key("elapsed_s");
    json.seconds(workflow.elapsed);
    json.key("wall_s");
    json.seconds(workflow.wall);
    json.field("iterations", workflow.iterations);
    json.field("iterations_ok", workflow.iterations - std::min(workflow.iterations, workflow.iterations_failed));
    json.field("iterations_failed", workflow.iterations_failed);
    json.field("iterations_cut", workflow.iterations_cut);
    json.field("dropped", workflow.dropped);
    json.field("requests", workflow.requests);
    json.field("redirected", workflow.redirected);
    json.field("errors", workflow.errors);
    json.field("rate_per_s", per_second(workflow.requests, workflow.elapsed));
    json.end_object();
  }
  json.end_array();
}

void write_windows(JsonWriter& json, const RunResult& result) {
  json.key("windows");
  json.begin_array();
  for (const results::Window& window : result.windows) {
    json.begin_object(Layout::kInline);
    json.key("start_s");
    json.seconds(window.start);
    json.key("length_s");
    json.seconds(window.length);
    json.field("requests", window.requests);
    json.field("rate_per_s", per_second(window.requests, window.length));
    json.field("errors", window.errors);
    json.field("bytes_received", window.bytes_received);
    json.field("dropped", window.dropped);
    json.field("vus", window.vus_active);
    write_milliseconds(json, "p50_ms", window.p50);
    write_milliseconds(json, "p90_ms", window.p90);
    write_milliseconds(json, "p99_ms", window.p99);
    write_milliseconds(json, "max_ms", window.max);
    write_milliseconds(json, "mean_ms", window.mean);
    json.end_object();
  }
  json.end_array();
}

std::string_view name_of(results::ExecutorEnd end) {
  switch (end) {
    case results::ExecutorEnd::kFinished:
      return "finished";
    case results::ExecutorEnd::kRestarted:
      return "restarted";
    case results::ExecutorEnd::kLost:
      return "lost";
  }
  return "finished";
}

void write_executors(JsonWriter& json, const RunResult& result) {
  json.key("executors");
  json.begin_array();
  for (const results::ExecutorReport& executor : result.executors) {
    json.begin_object(Layout::kInline);
    json.field("index", executor.index);
    json.key("core");
    if (executor.core < 0) {
      json.null();
    } else {
      json.value(executor.core);
    }
    json.field("end", name_of(executor.end));
    json.field("message", executor.message);
    json.field("cpu_s", executor.cpu_s);
    json.field("busy_fraction", executor.busy_fraction);
    json.field("wait_fraction", executor.wait_fraction);
    json.field("steal_fraction", executor.steal_fraction);
    json.end_object();
  }
  json.end_array();
}

void write_head(JsonWriter& json, const RunResult& result, std::span<const results::Verdict> verdicts) {
  json.field("schema", kResultsSchema);
  json.field("run_id", result.run_id);
  json.field("name", result.name);
  json.field("target", result.target);
  json.field("protocol", result.protocol);
  json.field("load", result.load_description);
  json.field("seed", result.seed);
  write_tags(json, result.tags);
  json.field("started", rfc3339(result.started));
  json.key("planned_s");
  json.seconds(result.planned);
  json.key("elapsed_s");
  json.seconds(result.elapsed);
  json.key("wall_s");
  json.seconds(result.wall);
  json.field("interrupted", result.interrupted);
  json.field("partial", result.partial);
  json.field("thresholds_passed", std::ranges::all_of(verdicts, &results::Verdict::passed));
}

void write_rest_of_totals(JsonWriter& json, const RunResult& result) {
  json.key("connection_frames");
  json.begin_object(Layout::kInline);
  json.field("bytes_sent", result.connection_frames.bytes_sent);
  json.field("bytes_received", result.connection_frames.bytes_received);
  json.end_object();
  json.field("lost_with_executor", result.lost_with_executor);
  json.key("http_versions");
  json.begin_object(Layout::kInline);
  if (result.http.http1 > 0) json.field("HTTP/1.1", result.http.http1);
  if (result.http.http2 > 0) json.field("HTTP/2", result.http.http2);
  json.end_object();
}

void write_load(JsonWriter& json, const RunResult& result) {
  json.field("open_loop", result.open_loop);
  json.key("asked_rate_per_s");
  if (result.asked_rate_per_s > 0) {
    json.value(result.asked_rate_per_s);
  } else {
    json.null();
  }
  json.field("achieved_rate_per_s", achieved_rate_per_s(result));
  json.field("iterations", result.iterations);
  json.field("iterations_ok", result.iterations_ok());
  json.field("iterations_failed", result.iterations_failed);
  json.field("iterations_cut", result.iterations_cut);
  json.field("dropped", result.dropped);
  json.field("idle_s", result.idle_seconds);
  json.field("late", result.late);
  json.field("warmup_requests", result.warmup_requests);
  json.field("vus_max", result.vus_max);
  write_figures(json, "lag_ms", result.lag);
}

void write_changes(JsonWriter& json, const RunResult& result) {
  if (result.changes.empty()) return;
  json.key("changes");
  json.begin_array();
  for (const results::ChangeRecord& change : result.changes) {
    json.begin_object(Layout::kInline);
    json.key("at_s");
    json.seconds(change.at);
    json.field("what", change.what);
    if (!change.workflow.empty()) json.field("workflow", change.workflow);
    json.end_object();
  }
  json.end_array();
}

void write_thresholds(JsonWriter& json, std::span<const results::Verdict> verdicts) {
  json.key("thresholds");
  json.begin_array();
  for (const results::Verdict& verdict : verdicts) {
    json.begin_object(Layout::kInline);
    json.field("threshold", verdict.threshold);
    json.field("actual", verdict.actual);
    json.field("passed", verdict.passed);
    json.end_object();
  }
  json.end_array();
}

void write_build(JsonWriter& json, const BuildInfoText& build) {
  json.key("generator");
  json.begin_object(Layout::kInline);
  const auto add = [&json](std::string_view name, const std::string& text) {
    if (!text.empty()) json.field(name, text);
  };
  add("version", build.version);
  add("commit", build.commit);
  add("compiler", build.compiler);
  add("machine", build.machine);
  json.end_object();
}

}  // namespace

std::string json_report(const RunResult& result, std::span<const results::Verdict> verdicts,
                        const BuildInfoText& build) {
  JsonWriter json;
  json.begin_object();
  write_head(json, result, verdicts);
  json.key("totals");
  json.begin_object();
  write_shape(json, result.total_counts(), result.total_series(), result.elapsed);
  write_rest_of_totals(json, result);
  write_checks_total(json, result);
  json.end_object();
  write_load(json, result);
  write_changes(json, result);
  write_thresholds(json, verdicts);
  json.key("warnings");
  json.begin_array();
  for (const std::string& warning : warnings_of(result)) json.value(warning);
  json.end_array();
  write_failures(json, result);
  write_executors(json, result);
  write_windows(json, result);
  write_workflows(json, result);
  write_script_results(json, result);
  write_steps(json, result);
  write_histogram(json, "lag_histogram", result.lag);
  write_build(json, build);
  json.end_object();
  return json.take();
}

}  // namespace hyperscale::report
