// LiveView: a moment of a run as displayed, as plain data. The owner of a run fills it (live_view_builder.h), on one
// machine or across a fleet; screen, ctl status, API, feed, metrics and lines of JSON show it. They compute only
// progress and time left, so outputs with the same tick have the same figures.
//
// Plain value, any thread. All text is untrusted. Unknown values keep their defaults and are not shown.
#pragma once

#include "base/time.h"
#include "live/point_series.h"
#include "results/outcome.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::live {

enum class RunState : std::uint8_t { kStarting, kWarmUp, kRunning, kPaused, kStopping, kDone };
std::string_view name(RunState state);  // "warming up"

enum class ThresholdState : std::uint8_t { kPending, kPassing, kFailing };

struct ThresholdView {
  std::string text;    // "p99<200ms"
  std::string actual;  // "213ms"; empty: no value yet
  ThresholdState state = ThresholdState::kPending;
};

enum class LogLevel : std::uint8_t { kInfo, kWarning, kError };

struct LogLine {
  LogLevel level = LogLevel::kInfo;
  Duration at{};  // since the run began
  std::string text;
};

struct StepView {
  std::string name;
  std::uint64_t requests = 0;
  std::uint64_t redirected = 0;  // part of requests; errors are a share of the rest
  double rate_per_s = 0;         // now
  std::uint64_t errors = 0;

  std::uint64_t concluded() const { return requests - redirected; }
  Duration p50{}, p95{}, p99{}, p99_9{}, max{};  // of the whole run so far; max is exact
  std::uint64_t durations = 0;                   // number of values behind the percentiles
  double durations_sum_s = 0;                    // exact, unlike the percentiles
};

enum class WorkflowState : std::uint8_t { kWaiting, kRunning, kPaused, kDone, kFailed };

struct WorkflowView {
  std::string name;
  WorkflowState state = WorkflowState::kRunning;
  std::vector<StepView> steps = {};
  std::optional<StepView> total = {};  // all steps together; percentiles of steps cannot be added up
  PointSeries course = PointSeries();
};

struct LiveView {
  std::string run_name, run_id;
  std::string target;
  std::string http_version;  // "HTTP/2": versions that connections have used so far
  RunState state = RunState::kStarting;

  std::uint64_t tick = 0;  // of the moment of all figures below; zero: no moment yet
  Duration elapsed{};
  Duration planned{};  // zero: not bounded by time
  std::uint64_t iterations = 0, iterations_failed = 0;
  std::uint64_t iterations_planned = 0;  // zero: not bounded by count

  double rate_per_s = 0;        // over the last moments
  double total_rate_per_s = 0;  // over the whole run
  double asked_rate_per_s = 0;  // zero: no rate requested
  std::uint64_t requests = 0, errors = 0;
  std::array<std::uint64_t, results::kOutcomeCount> outcomes{};
  // Requests without followed redirects: the base of the error rate.
  std::uint64_t concluded() const {
    return requests - outcomes[static_cast<std::size_t>(results::Outcome::kRedirected)];
  }
  Duration recent_p50{}, recent_p99{};  // of the last second, all workflows; zero: no answers

  double received_per_s = 0, sent_per_s = 0;  // bytes
  std::uint64_t bytes_received = 0, bytes_sent = 0;

  std::uint32_t vus_active = 0, vus_target = 0;  // target zero: unknown, equals active
  std::uint64_t dropped = 0;                     // iterations that could not start in time
  std::uint64_t overdue = 0;                     // part of `dropped`: those that still wait for a user
  Duration lag_p99{};                            // delay of the generator itself
  std::uint32_t executors_alive = 0, executors = 0;

  std::vector<ThresholdView> thresholds;
  std::vector<LogLine> log;  // oldest first; only the last lines are shown
  std::vector<WorkflowView> workflows;
};

// Completed part of the run, 0 to 1; nullopt for a run without an end.
std::optional<double> progress(const LiveView& view);
// nullopt for a run without an end, and while too little is done for an estimate.
std::optional<Duration> time_left(const LiveView& view);
bool is_failing(const LiveView& view);  // a threshold does not hold

}  // namespace hyperscale::live
