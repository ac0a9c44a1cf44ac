// Results with something in every field, from a seed. Shares of the same run have the same steps.
#pragma once

#include "base/prng.h"
#include "results/run_result.h"

#include <algorithm>
#include <string>
#include <utility>

namespace hyperscale::results {

inline SparseHistogram some_histogram(Prng& prng) {
  SparseHistogram histogram;
  for (auto n = prng.below(6); n > 0; --n)
    histogram.record_many(Duration(static_cast<std::int64_t>(prng.below(std::uint64_t{1} << prng.below(43)))),
                          prng.below(5));
  return histogram;
}

inline std::uint64_t some_count(Prng& prng) {
  return prng.below(prng.below(2) == 0 ? 10 : 1'000'000'000);
}

// From few values, so that shares have some in common.
inline std::string some_word(Prng& prng) {
  return std::string(prng.below(4), static_cast<char>('a' + prng.below(3)));
}

inline Duration some_latency(Prng& prng) {
  return prng.between(0ns, 10s);
}

inline StepResult some_step(Prng& prng, std::string name) {
  StepResult step;
  step.name = std::move(name);
  step.series = {some_histogram(prng), some_histogram(prng), some_histogram(prng),
                 some_histogram(prng), some_histogram(prng), some_histogram(prng)};
  for (std::uint64_t& count : step.counts.outcomes) count = some_count(prng);
  for (auto n = prng.below(4); n > 0; --n)
    step.counts.statuses[static_cast<std::uint16_t>(200 + prng.below(5))] = some_count(prng);
  step.counts.bytes_sent = some_count(prng);
  step.counts.bytes_received = some_count(prng);
  step.counts.connections_opened = some_count(prng);
  step.counts.tls_resumed = some_count(prng);
  step.counts.redirects_followed = some_count(prng);
  step.counts.resent = some_count(prng);
  if (prng.below(2) == 0) step.tags["team"] = some_word(prng);
  for (auto n = prng.below(kFailuresMax + 1); n > 0; --n) {
    step.failures.push_back({.outcome = static_cast<Outcome>(1 + prng.below(3)),
                             .status = static_cast<std::uint16_t>(prng.below(3)),
                             .message = some_word(prng),
                             .body_start = some_word(prng),
                             .count = some_count(prng)});
  }
  return step;
}

inline StepResult some_series(Prng& prng) {
  StepResult series = some_step(prng, some_word(prng));
  series.named = true;
  series.by_path = prng.below(2) == 0;
  if (prng.below(2) == 0) series.tags["size"] = some_word(prng);
  return series;
}

// Of counters in any range, so that the sums need more than 64 bits.
inline MetricResult some_metric(Prng& prng, std::string name, MetricKind kind) {
  MetricResult metric;
  metric.name = std::move(name);
  metric.kind = kind;
  metric.of_run = kind == MetricKind::kCounter;
  metric.count = some_count(prng);
  if (metric.count == 0) return metric;
  metric.nonzero = prng.below(metric.count);
  metric.sum_millionths = (static_cast<__int128>(prng.next()) << prng.below(60)) - static_cast<__int128>(prng.next());
  metric.min = prng.unit() * 10 - 5;
  metric.max = metric.min + prng.unit();
  metric.last = metric.min;
  metric.last_at = Duration(static_cast<std::int64_t>(1 + prng.below(3)));
  if (kind == MetricKind::kTrend) metric.values = some_histogram(prng);
  return metric;
}

inline WorkflowReport some_workflow(Prng& prng, const char* name) {
  return {.name = name,
          .end = static_cast<WorkflowEnd>(prng.below(4)),
          .message = some_word(prng),
          .load_description = some_word(prng),
          .layer = static_cast<std::uint32_t>(prng.below(3)),
          .cores = static_cast<std::uint32_t>(prng.below(8)),
          .begin = Duration(static_cast<std::int64_t>(prng.below(1'000'000))),
          .elapsed = Duration(static_cast<std::int64_t>(prng.below(1'000'000))),
          .wall = Duration(static_cast<std::int64_t>(prng.below(1'000'000))),
          .iterations = some_count(prng),
          .dropped = some_count(prng),
          .requests = some_count(prng),
          .errors = some_count(prng)};
}

inline Window some_window(Prng& prng) {
  Window window{.start = 1s * static_cast<std::int64_t>(prng.below(5)),
                .length = 1s,
                .requests = some_count(prng),
                .errors = some_count(prng),
                .bytes_received = some_count(prng),
                .dropped = some_count(prng),
                .vus_active = static_cast<std::uint32_t>(prng.below(100)),
                .p50 = some_latency(prng),
                .p90 = some_latency(prng),
                .p99 = some_latency(prng),
                .max = some_latency(prng),
                .mean = some_latency(prng)};
  // Some have let go of theirs.
  if (prng.below(3) == 0) return window;
  window.durations = some_histogram(prng);
  if (!window.durations.empty()) set_figures(window);
  return window;
}

inline RunResult some_result(std::uint64_t seed) {
  Prng prng(seed);
  RunResult result;
  result.run_id = some_word(prng);
  result.name = some_word(prng);
  for (auto n = prng.below(3); n > 0; --n) result.tags[some_word(prng)] = some_word(prng);
  result.target = some_word(prng);
  result.protocol = some_word(prng);
  result.http = {.http1 = some_count(prng), .http2 = some_count(prng)};
  result.connection_frames = {.bytes_sent = some_count(prng), .bytes_received = some_count(prng)};
  result.load_description = some_word(prng);
  result.started = WallTime::from_ns(static_cast<std::int64_t>(prng.below(5)));
  result.planned = some_latency(prng);
  result.elapsed = some_latency(prng);
  result.wall = some_latency(prng);
  result.seed = prng.below(UINT64_MAX);
  result.idle_seconds = some_count(prng);
  result.late = some_count(prng);
  result.open_loop = prng.below(2) == 0;
  result.asked_rate_per_s = prng.unit() * 100;
  for (const char* name : {"login", "browse"}) result.steps.push_back(some_step(prng, name));
  // A result has one series of a name.
  for (auto n = prng.below(3); n > 0; --n) {
    StepResult series = some_series(prng);
    if (std::ranges::find(result.steps, series.name, &StepResult::name) == result.steps.end())
      result.steps.push_back(std::move(series));
  }
  for (const char* name : {"fast", "right"})
    result.checks.push_back(
        {.name = name, .passed = some_count(prng), .failed = some_count(prng), .example = some_word(prng)});
  for (const MetricKind kind : {MetricKind::kCounter, MetricKind::kGauge, MetricKind::kRate, MetricKind::kTrend})
    result.metrics.push_back(some_metric(prng, std::string(name(kind)), kind));
  for (const char* name : {"Load", "Setup", "Validate"})
    if (prng.below(2) == 0) result.workflows.push_back(some_workflow(prng, name));
  for (auto n = prng.below(4); n > 0; --n) result.windows.push_back(some_window(prng));
  result.iterations = some_count(prng);
  result.iterations_failed = some_count(prng);
  result.iterations_cut = some_count(prng);
  result.dropped = some_count(prng);
  result.lost_with_executor = some_count(prng);
  result.warmup_requests = some_count(prng);
  result.vus_max = static_cast<std::uint32_t>(prng.below(100));
  result.lag = some_histogram(prng);
  for (auto n = prng.below(3); n > 0; --n) {
    result.executors.push_back({.index = static_cast<std::uint32_t>(prng.below(3)),
                                .core = static_cast<std::int32_t>(prng.below(4)) - 1,
                                .end = static_cast<ExecutorEnd>(prng.below(3)),
                                .message = some_word(prng),
                                .cpu_s = prng.unit(),
                                .busy_fraction = prng.unit()});
  }
  for (auto n = prng.below(3); n > 0; --n)
    result.changes.push_back({.at = Duration(static_cast<std::int64_t>(prng.below(1'000'000'000))),
                              .what = some_word(prng),
                              .workflow = some_word(prng)});
  std::ranges::sort(result.changes, {}, &ChangeRecord::at);
  result.interrupted = prng.below(2) == 0;
  result.partial = prng.below(2) == 0;
  for (auto n = prng.below(4); n > 0; --n) result.warnings.push_back(some_word(prng));
  return result;
}

}  // namespace hyperscale::results
