#include "report/warnings.h"

#include "base/number_text.h"
#include "report/arrivals.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

using results::RunResult;
using Warning = std::optional<std::string>;

constexpr Duration kLagAlwaysTolerated = 1ms;

std::string plural(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count_text(count), count == 1 ? one : many);
}

Warning interrupted(const RunResult& result) {
  if (!result.interrupted) return std::nullopt;
  const std::string planned =
      result.planned > Duration::zero() ? fmt::format(" of {} planned", elapsed_text(result.planned)) : "";
  return fmt::format("The run was stopped after {}{}; the figures cover only that part.", elapsed_text(result.elapsed),
                     planned);
}

Warning lost_share(const RunResult& result) {
  if (!result.partial) return std::nullopt;
  const auto lost = static_cast<std::uint64_t>(
      std::ranges::count(result.executors, results::ExecutorEnd::kLost, &results::ExecutorReport::end));
  const std::string who = lost == 0 ? "A share of the load"
                                    : fmt::format("The share of {} of {}", count_text(lost),
                                                  plural(result.executors.size(), "executor", "executors"));
  return fmt::format("{} was lost, so counts and rates are too low; look at the executors' messages and run again.",
                     who);
}

Warning nothing_but_errors(const RunResult& result, const results::Counts& counts) {
  if (counts.requests() == 0 && result.interrupted) return std::nullopt;  // it was stopped before a request had ended
  if (counts.requests() == 0) return "No request was made; check the duration and the number of users.";
  if (counts.errors() != counts.concluded()) return std::nullopt;
  return fmt::format(
      "All of {} failed, so latencies tell how fast the target fails; check the address and the first failures.",
      plural(counts.concluded(), "request", "requests"));
}

Warning no_iteration_succeeded(const RunResult& result, const results::Counts& counts) {
  if (result.iterations == 0 || result.iterations_ok() != 0) return std::nullopt;
  if (counts.errors() == counts.concluded()) return std::nullopt;  // already reported
  return fmt::format("None of {} succeeded: a step of each failed, so the exit code is 1; look at the failures.",
                     plural(result.iterations, "iteration", "iterations"));
}

// Runnable but without a CPU core: other processes or the hypervisor used it.
double waited(const results::ExecutorReport& executor) {
  return executor.wait_fraction + executor.steal_fraction;
}

double loaded(const results::ExecutorReport& executor) {
  return std::min(executor.busy_fraction + waited(executor), 1.0);
}

Warning busy_generator(const RunResult& result) {
  constexpr double kWaitReportedMin = 0.05;
  const auto busiest = std::ranges::max_element(result.executors, {}, loaded);
  if (busiest == result.executors.end()) return std::nullopt;
  const bool was_limit = loaded(*busiest) > kBusyFractionMax;
  if (was_limit && waited(*busiest) < kWaitReportedMin) {
    return fmt::format(
        "The load generator was the limit: executor {} kept its core {:.0f}% busy; use more cores or machines, or less "
        "load.",
        busiest->index, std::min(busiest->busy_fraction, 1.0) * 100);
  }
  const auto& slowest = *std::ranges::max_element(result.executors, {}, waited);
  if (!was_limit && waited(slowest) <= kWaitFractionMax) return std::nullopt;
  const auto& executor = was_limit ? *busiest : slowest;
  return fmt::format(
      "The load generator {}: executor {} was ready to run for {:.0f}% of the time and had its core for {:.0f}%, "
      "because {}; give it cores of its own (--cores), or other machines, or less load.",
      was_limit ? "was the limit" : "was slowed down", executor.index, loaded(executor) * 100,
      executor.busy_fraction * 100,
      executor.steal_fraction > executor.wait_fraction ? "the host of this machine gave the core to others"
                                                       : "other programs used it too");
}

Warning lagging_generator(const RunResult& result, const SparseHistogram& duration) {
  if (!result.open_loop) return std::nullopt;
  const Duration lag = result.lag.value_at_percentile(99);
  const Duration tolerated = std::max(kLagAlwaysTolerated, duration.value_at_percentile(50) / 10);
  if (lag <= tolerated) return std::nullopt;
  return fmt::format(
      "The load generator was late: 1% of the requests started {} or more after their time, which is part of their "
      "duration; use more cores or less load.",
      latency_text(lag));
}

Warning too_slow(const RunResult& result) {
  if (!fell_behind(result)) return std::nullopt;
  const double achieved = achieved_rate_per_s(result);
  return fmt::format("The rate was {}, {:.1f}% under the {} asked; allow more users, or find where they wait.",
                     rate_text(achieved), 100 * (1 - achieved / result.asked_rate_per_s),
                     rate_text(result.asked_rate_per_s));
}

Warning dropped(const RunResult& result) {
  if (result.dropped == 0) return std::nullopt;
  return fmt::format(
      "{} ({}) could not start because every user was busy; allow more users, or the target is too slow for this rate.",
      plural(result.dropped, "iteration", "iterations"),
      percent_text(result.dropped, result.dropped + result.iterations));
}

Warning idle(const RunResult& result) {
  if (result.idle_seconds == 0) return std::nullopt;
  return fmt::format(
      "In {} iterations were due while nothing was sent or answered: the target stood still, or this machine did.",
      plural(result.idle_seconds, "second", "seconds"));
}

Warning few_samples(const results::Counts& counts) {
  if (counts.requests() == 0 || counts.requests() >= kRequestsForP99) return std::nullopt;
  return fmt::format("Only {}: p99 and above rest on single values; run longer for percentiles to mean something.",
                     plural(counts.requests(), "request was made", "requests were made"));
}

Warning saturated(const results::Series& series) {
  const std::uint64_t values = series.duration.saturated();
  if (values == 0) return std::nullopt;
  return fmt::format("{} took longer than 1h and count as 1h in percentiles; set a timeout on requests.",
                     plural(values, "request", "requests"));
}

}  // namespace

std::vector<std::string> warnings_of(const RunResult& result) {
  const results::Counts counts = result.total_counts();
  const results::Series series = result.total_series();
  std::vector<std::string> warnings;
  const auto add = [&warnings](Warning warning) {
    if (warning && std::ranges::find(warnings, *warning) == warnings.end()) warnings.push_back(std::move(*warning));
  };
  for (const std::string& own : result.warnings) add(own);
  add(interrupted(result));
  add(lost_share(result));
  add(nothing_but_errors(result, counts));
  add(no_iteration_succeeded(result, counts));
  add(busy_generator(result));
  add(lagging_generator(result, series.duration));
  add(too_slow(result));
  add(dropped(result));
  add(idle(result));
  add(few_samples(counts));
  add(saturated(series));
  return warnings;
}

}  // namespace hyperscale::report
