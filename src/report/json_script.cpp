#include "report/json_script.h"

#include "base/check.h"
#include "base/duration_text.h"
#include "results/saturating.h"

#include <chrono>

namespace hyperscale::report {
namespace {

using results::CheckResult;
using results::MetricKind;
using results::MetricResult;
using Layout = JsonWriter::Layout;

// Without values there is no share.
void write_percent(JsonWriter& json, std::string_view name, std::uint64_t part, std::uint64_t whole) {
  json.key(name);
  if (whole == 0) return json.null();
  json.value(100 * static_cast<double>(part) / static_cast<double>(whole));
}

void write_counts(JsonWriter& json, const CheckResult& check) {
  json.field("passed", check.passed);
  json.field("failed", check.failed);
  write_percent(json, "pass_rate_percent", check.passed, results::saturating_add(check.passed, check.failed));
}

void write_trend(JsonWriter& json, const MetricResult& metric) {
  json.field("mean", metric.mean());
  json.field("min", metric.min);
  json.field("p50", metric.percentile(50));
  json.field("p90", metric.percentile(90));
  json.field("p95", metric.percentile(95));
  json.field("p99", metric.percentile(99));
  json.field("max", metric.max);
}

void write_figures(JsonWriter& json, const MetricResult& metric, Duration elapsed) {
  const double seconds = hyperscale::seconds(elapsed);
  switch (metric.kind) {
    case MetricKind::kCounter:
      json.field("total", metric.sum());
      json.field("rate_per_s", seconds > 0 ? metric.sum() / seconds : 0.0);
      return;
    case MetricKind::kGauge:
      json.field("last", metric.last);
      json.field("min", metric.min);
      json.field("max", metric.max);
      return;
    case MetricKind::kRate:
      json.field("nonzero", metric.nonzero);
      write_percent(json, "share_percent", metric.nonzero, metric.count);
      return;
    case MetricKind::kTrend:
      return write_trend(json, metric);
  }
  UNREACHABLE("a kind of metric that does not exist");
}

}  // namespace

void write_checks_total(JsonWriter& json, const results::RunResult& result) {
  if (result.checks.empty()) return;
  json.key("checks");
  json.begin_object(Layout::kInline);
  write_counts(json, all_checks(result));
  json.end_object();
}

void write_script_results(JsonWriter& json, const results::RunResult& result) {
  if (!result.checks.empty()) {
    json.key("checks");
    json.begin_array();
    for (const CheckResult& check : result.checks) {
      json.begin_object(Layout::kInline);
      json.field("name", check.name);
      write_counts(json, check);
      if (check.failed != 0) json.field("example", check.example);
      json.end_object();
    }
    json.end_array();
  }
  if (!result.metrics.empty()) {
    json.key("metrics");
    json.begin_array();
    for (const MetricResult& metric : result.metrics) {
      json.begin_object(Layout::kInline);
      json.field("name", metric.name);
      json.field("kind", results::name(metric.kind));
      json.field("count", metric.count);
      write_figures(json, metric, result.elapsed);
      json.end_object();
    }
    json.end_array();
  }
}

}  // namespace hyperscale::report
