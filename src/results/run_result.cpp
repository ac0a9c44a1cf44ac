#include "results/run_result.h"

#include "base/check.h"
#include "base/duration_text.h"
#include "results/saturating.h"

#include <algorithm>
#include <chrono>

namespace hyperscale::results {

std::string_view name(WorkflowEnd end) {
  switch (end) {
    case WorkflowEnd::kCompleted:
      return "completed";
    case WorkflowEnd::kStopped:
      return "stopped";
    case WorkflowEnd::kFailed:
      return "failed";
    case WorkflowEnd::kNotRun:
      return "not run";
  }
  UNREACHABLE("a workflow's end that does not exist");
}
namespace {

// Cannot overflow: see recorded_values().
void add_known(SparseHistogram& to, const SparseHistogram& more) {
  const Status merged = to.merge(more);
  CHECK(merged, "{}", merged.error().context);
}

}  // namespace

void set_figures(Window& window) {
  const SparseHistogram& durations = window.durations;
  window.p50 = durations.value_at_percentile(50);
  window.p90 = durations.value_at_percentile(90);
  window.p99 = durations.value_at_percentile(99);
  window.max = durations.max();
  window.mean = durations.mean();
}

std::uint64_t Counts::requests() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : outcomes) sum = saturating_add(sum, count);
  return sum;
}

std::uint64_t Counts::concluded() const {
  return requests() - outcomes[static_cast<std::size_t>(Outcome::kRedirected)];
}

std::uint64_t Counts::errors() const {
  return concluded() - outcomes[static_cast<std::size_t>(Outcome::kOk)];
}

void add(Series& to, const Series& more) {
  add_known(to.duration, more.duration);
  add_known(to.ok, more.ok);
  add_known(to.service, more.service);
  add_known(to.connect, more.connect);
  add_known(to.tls, more.tls);
  add_known(to.first_byte, more.first_byte);
}

void add(Counts& to, const Counts& more) {
  for (std::size_t i = 0; i < kOutcomeCount; ++i) to.outcomes[i] = saturating_add(to.outcomes[i], more.outcomes[i]);
  for (const auto& [status, count] : more.statuses) to.statuses[status] = saturating_add(to.statuses[status], count);
  to.bytes_sent = saturating_add(to.bytes_sent, more.bytes_sent);
  to.bytes_received = saturating_add(to.bytes_received, more.bytes_received);
  to.connections_opened = saturating_add(to.connections_opened, more.connections_opened);
  to.tls_resumed = saturating_add(to.tls_resumed, more.tls_resumed);
  to.redirects_followed = saturating_add(to.redirects_followed, more.redirects_followed);
  to.resent = saturating_add(to.resent, more.resent);
}

bool has_many_errors(const Counts& counts) {
  const auto share = static_cast<double>(counts.concluded()) * kManyErrors;
  return counts.errors() != 0 && counts.errors() != counts.concluded() && static_cast<double>(counts.errors()) >= share;
}

std::uint64_t recorded_values(const Recorded& result) {
  std::uint64_t values = result.lag.count();
  for (const StepResult& step : result.steps) {
    for (const auto series :
         {&Series::duration, &Series::ok, &Series::service, &Series::connect, &Series::tls, &Series::first_byte})
      values = saturating_add(values, (step.series.*series).count());
  }
  for (const MetricResult& metric : result.metrics) values = saturating_add(values, metric.values.count());
  for (const Window& window : result.windows) values = saturating_add(values, window.durations.count());
  return values;
}

CheckResult all_checks(const Recorded& result) {
  CheckResult sum;
  for (const CheckResult& check : result.checks) {
    sum.passed = saturating_add(sum.passed, check.passed);
    sum.failed = saturating_add(sum.failed, check.failed);
  }
  return sum;
}

Series Recorded::total_series() const {
  Series total;
  for (const StepResult& step : steps) add(total, step.series);
  return total;
}

Counts Recorded::total_counts() const {
  Counts total;
  for (const StepResult& step : steps) add(total, step.counts);
  return total;
}

double Recorded::rate_per_s() const {
  if (elapsed <= Duration::zero()) return 0;
  return static_cast<double>(total_counts().requests()) / seconds(elapsed);
}

std::uint64_t Recorded::iterations_ok() const {
  return iterations - std::min(iterations, iterations_failed);
}

}  // namespace hyperscale::results
