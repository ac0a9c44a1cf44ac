// merge() of run_result.h. Every rule is a sum, a union, a minimum or a maximum, and limits keep the smallest items by
// a fixed order: so the result does not depend on the order of shares.
#include "base/check.h"
#include "results/merge_steps.h"
#include "results/run_result.h"
#include "results/saturating.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace hyperscale::results {
namespace {

// For checks and metrics, whose names the plan determines, as those of steps.
template <typename Item>
Status check_same_names(std::string_view what, const std::vector<Item>& into, const std::vector<Item>& share) {
  if (std::ranges::equal(into, share, {}, &Item::name, &Item::name)) return {};
  return fail(ErrorCode::kInvalidArgument, fmt::format("both results have {}, but not the same ones", what));
}

Status check_room(const Recorded& into, const Recorded& share) {
  const std::uint64_t values = saturating_add(recorded_values(into), recorded_values(share));
  if (values <= kHistogramCountMax) return {};
  return fail(ErrorCode::kTooLarge, fmt::format("both results have {} values together", values));
}

void merge_window(Window& into, const Window& share) {
  into.length = std::max(into.length, share.length);
  into.requests = saturating_add(into.requests, share.requests);
  into.errors = saturating_add(into.errors, share.errors);
  into.bytes_received = saturating_add(into.bytes_received, share.bytes_received);
  into.dropped = saturating_add(into.dropped, share.dropped);
  into.vus_active = saturating_add(into.vus_active, share.vus_active);
  const Status merged = into.durations.merge(share.durations);
  CHECK(merged, "{}", merged.error().context);
  if (!into.durations.empty()) return set_figures(into);
  for (const auto figure : {&Window::p50, &Window::p90, &Window::p99, &Window::max, &Window::mean})
    into.*figure = std::max(into.*figure, share.*figure);
}

void merge_windows(std::vector<Window>& into, const std::vector<Window>& share) {
  std::vector<Window> all = std::move(into);
  all.insert(all.end(), share.begin(), share.end());
  std::ranges::sort(all, {}, &Window::start);
  into.clear();
  for (const Window& window : all) {
    if (!into.empty() && into.back().start == window.start) {
      merge_window(into.back(), window);
    } else {
      into.push_back(window);
    }
  }
}

void merge_executors(std::vector<ExecutorReport>& into, const std::vector<ExecutorReport>& share) {
  into.insert(into.end(), share.begin(), share.end());
  const auto key = [](const ExecutorReport& e) {
    return std::tie(e.index, e.core, e.end, e.message, e.cpu_s, e.busy_fraction, e.wait_fraction, e.steal_fraction);
  };
  std::ranges::sort(into, [&](const ExecutorReport& a, const ExecutorReport& b) { return key(a) < key(b); });
}

void merge_warnings(std::vector<std::string>& into, const std::vector<std::string>& share) {
  into.insert(into.end(), share.begin(), share.end());
  std::ranges::sort(into);
  into.erase(std::unique(into.begin(), into.end()), into.end());
  into.resize(std::min(into.size(), kWarningsMax));
}

void merge_the_rest(Recorded& into, const Recorded& share) {
  merge_windows(into.windows, share.windows);
  into.elapsed = std::max(into.elapsed, share.elapsed);
  into.wall = std::max(into.wall, share.wall);
  into.partial = into.partial || share.partial;
  into.iterations = saturating_add(into.iterations, share.iterations);
  into.iterations_failed = saturating_add(into.iterations_failed, share.iterations_failed);
  into.iterations_cut = saturating_add(into.iterations_cut, share.iterations_cut);
  into.dropped = saturating_add(into.dropped, share.dropped);
  into.idle_seconds = saturating_add(into.idle_seconds, share.idle_seconds);
  into.late = saturating_add(into.late, share.late);
  into.lost_with_executor = saturating_add(into.lost_with_executor, share.lost_with_executor);
  into.warmup_requests = saturating_add(into.warmup_requests, share.warmup_requests);
  add(into.http, share.http);
  ConnectionFrames& frames = into.connection_frames;
  frames.bytes_sent = saturating_add(frames.bytes_sent, share.connection_frames.bytes_sent);
  frames.bytes_received = saturating_add(frames.bytes_received, share.connection_frames.bytes_received);
  into.vus_max = saturating_add(into.vus_max, share.vus_max);
  const Status lag = into.lag.merge(share.lag);
  CHECK(lag, "{}", lag.error().context);
  merge_executors(into.executors, share.executors);
  merge_warnings(into.warnings, share.warnings);
}

void join_metric(std::vector<MetricResult>& into, const std::string& workflow, MetricResult metric) {
  if (!metric.of_run) metric.name = fmt::format("{}.{}", workflow, metric.name);
  const auto same = std::ranges::find_if(into, [&](const MetricResult& other) {
    return other.of_run && metric.of_run && other.name == metric.name && other.kind == metric.kind;
  });
  if (same == into.end()) {
    into.push_back(std::move(metric));
  } else {
    add(*same, metric);
  }
}

}  // namespace

Status merge(Recorded& into, const Recorded& share) {
  if (Status same = check_same_steps(into.steps, share.steps); !same) return same;
  if (Status same = check_same_names("checks", into.checks, share.checks); !same) return same;
  if (Status same = check_same_names("metrics", into.metrics, share.metrics); !same) return same;
  if (Status room = check_room(into, share); !room) return room;
  merge_steps(into.steps, share.steps);
  for (std::size_t i = 0; i < into.checks.size(); ++i) add(into.checks[i], share.checks[i]);
  for (std::size_t i = 0; i < into.metrics.size(); ++i) add(into.metrics[i], share.metrics[i]);
  merge_the_rest(into, share);
  return {};
}

Status join(Recorded& into, const std::string& workflow, Recorded other) {
  if (Status room = check_room(into, other); !room) return room;
  join_steps(into.steps, workflow, std::move(other.steps));
  for (CheckResult& check : other.checks) {
    check.name = fmt::format("{}.{}", workflow, check.name);
    into.checks.push_back(std::move(check));
  }
  for (MetricResult& metric : other.metrics) join_metric(into.metrics, workflow, std::move(metric));
  merge_the_rest(into, other);
  return {};
}

}  // namespace hyperscale::results
