// Describes Recorded as fields of base/field_bytes.h, shared by the codecs of results and moments. Each template works
// with a FieldWriter and a FieldReader; limits are those of limits.h. Internal to the codecs of this folder.
#pragma once

#include "base/field_bytes.h"
#include "results/limits.h"
#include "results/run_result.h"

#include <cstdint>
#include <map>
#include <string>

namespace hyperscale::results {

inline constexpr std::uint16_t kStatusMax = 999;

template <typename Fields>
void describe_tags(Fields& fields, typename Fields::template Ref<std::map<std::string, std::string>> tags) {
  fields.map("tags", tags, kResultTagsMax, [&](auto& name, auto& value) {
    fields.text("tag name", name, kResultTextBytesMax);
    fields.text("tag value", value, kResultTextBytesMax);
  });
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Series> series) {
  fields.histogram("duration", series.duration);
  fields.histogram("ok duration", series.ok);
  fields.histogram("service", series.service);
  fields.histogram("connect", series.connect);
  fields.histogram("tls", series.tls);
  fields.histogram("first byte", series.first_byte);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Counts> counts) {
  // The number of outcomes is fixed per format version.
  for (auto& outcome : counts.outcomes) fields.number("outcome", outcome, UINT64_MAX);
  fields.map("statuses", counts.statuses, kStatusesMax, [&](auto& status, auto& count) {
    fields.number("status", status, kStatusMax);
    fields.number("status count", count, UINT64_MAX);
  });
  fields.number("bytes sent", counts.bytes_sent, UINT64_MAX);
  fields.number("bytes received", counts.bytes_received, UINT64_MAX);
  fields.number("connections", counts.connections_opened, UINT64_MAX);
  fields.number("tls resumed", counts.tls_resumed, UINT64_MAX);
  fields.number("redirects", counts.redirects_followed, UINT64_MAX);
  fields.number("resent", counts.resent, UINT64_MAX);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Failure> failure) {
  fields.choice("failure outcome", failure.outcome, kLastOutcome);
  fields.number("failure status", failure.status, kStatusMax);
  fields.text("failure message", failure.message, kFailureMessageBytesMax);
  fields.text("failure body", failure.body_start, kFailureBodyBytesMax);
  fields.number("failure count", failure.count, UINT64_MAX);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<StepResult> step) {
  fields.text("step name", step.name, kResultTextBytesMax);
  describe<Fields>(fields, step.series);
  describe<Fields>(fields, step.counts);
  fields.list("failures", step.failures, kFailuresMax, [&](auto& failure) { describe<Fields>(fields, failure); });
  describe_tags<Fields>(fields, step.tags);
  fields.flag("step named", step.named);
  fields.flag("step by path", step.by_path);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<CheckResult> check) {
  fields.text("check name", check.name, kResultTextBytesMax);
  fields.number("check passed", check.passed, UINT64_MAX);
  fields.number("check failed", check.failed, UINT64_MAX);
  fields.text("check example", check.example, kCheckExampleBytesMax);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<MetricResult> metric) {
  fields.text("metric name", metric.name, kResultTextBytesMax);
  fields.choice("metric kind", metric.kind, MetricKind::kTrend);
  fields.flag("metric of run", metric.of_run);
  fields.number("metric count", metric.count, UINT64_MAX);
  fields.number("metric nonzero", metric.nonzero, UINT64_MAX);
  auto sum_low = static_cast<std::uint64_t>(metric.sum_millionths);
  auto sum_high = static_cast<std::int64_t>(metric.sum_millionths >> 64);
  fields.number("metric sum", sum_low, UINT64_MAX);
  fields.signed_number("metric sum", sum_high);
  if constexpr (Fields::kReads) metric.sum_millionths = static_cast<__int128>(sum_high) << 64 | sum_low;
  fields.real("metric min", metric.min, -kMetricValueMax, kMetricValueMax);
  fields.real("metric max", metric.max, -kMetricValueMax, kMetricValueMax);
  fields.real("metric last", metric.last, -kMetricValueMax, kMetricValueMax);
  fields.duration("metric last at", metric.last_at);
  fields.histogram("metric values", metric.values);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Window> window) {
  fields.duration("window start", window.start);
  fields.duration("window length", window.length);
  fields.number("window requests", window.requests, UINT64_MAX);
  fields.number("window errors", window.errors, UINT64_MAX);
  fields.number("window bytes", window.bytes_received, UINT64_MAX);
  fields.number("window dropped", window.dropped, UINT64_MAX);
  fields.number("window vus", window.vus_active, UINT32_MAX);
  fields.duration("window p50", window.p50);
  fields.duration("window p90", window.p90);
  fields.duration("window p99", window.p99);
  fields.duration("window max", window.max);
  fields.duration("window mean", window.mean);
  fields.histogram("window durations", window.durations);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<ExecutorReport> executor) {
  fields.number("executor index", executor.index, UINT32_MAX);
  std::int64_t core = executor.core;
  fields.signed_number("executor core", core);
  if constexpr (Fields::kReads) executor.core = fields.narrow("executor core", core);
  fields.choice("executor end", executor.end, ExecutorEnd::kLost);
  fields.text("executor message", executor.message, kResultTextBytesMax);
  fields.real("executor cpu", executor.cpu_s, kRealMax);
  fields.real("executor busy", executor.busy_fraction, kRealMax);
  fields.real("executor wait", executor.wait_fraction, kRealMax);
  fields.real("executor steal", executor.steal_fraction, kRealMax);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Recorded> recorded) {
  fields.list("steps", recorded.steps, kResultStepsMax, [&](auto& step) { describe<Fields>(fields, step); });
  fields.list("checks", recorded.checks, kResultChecksMax, [&](auto& check) { describe<Fields>(fields, check); });
  fields.list("metrics", recorded.metrics, kResultMetricsMax, [&](auto& metric) { describe<Fields>(fields, metric); });
  fields.number("HTTP/1.1 connections", recorded.http.http1, UINT64_MAX);
  fields.number("HTTP/2 connections", recorded.http.http2, UINT64_MAX);
  fields.number("connection bytes sent", recorded.connection_frames.bytes_sent, UINT64_MAX);
  fields.number("connection bytes received", recorded.connection_frames.bytes_received, UINT64_MAX);
  fields.list("windows", recorded.windows, kWindowsMax, [&](auto& window) { describe<Fields>(fields, window); });
  fields.duration("elapsed", recorded.elapsed);
  fields.duration("wall", recorded.wall);
  fields.number("iterations", recorded.iterations, UINT64_MAX);
  fields.number("iterations failed", recorded.iterations_failed, UINT64_MAX);
  fields.number("iterations cut", recorded.iterations_cut, UINT64_MAX);
  fields.number("dropped", recorded.dropped, UINT64_MAX);
  fields.number("idle seconds", recorded.idle_seconds, UINT64_MAX);
  fields.number("late", recorded.late, UINT64_MAX);
  fields.number("lost with executor", recorded.lost_with_executor, UINT64_MAX);
  fields.number("warmup requests", recorded.warmup_requests, UINT64_MAX);
  fields.number("vus", recorded.vus_max, UINT32_MAX);
  fields.histogram("lag", recorded.lag);
  fields.list("executors", recorded.executors, kExecutorsMax,
              [&](auto& executor) { describe<Fields>(fields, executor); });
  fields.flag("partial", recorded.partial);
  fields.list("warnings", recorded.warnings, kWarningsMax,
              [&](auto& warning) { fields.text("warning", warning, kResultTextBytesMax); });
}

}  // namespace hyperscale::results
