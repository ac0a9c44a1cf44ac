// RunResult: the result of a run as pure data: the records of its shares, and the facts known to its owner. Only
// Recorded merges: exactly, and in any order.
//
// Plain values; any thread. results_codec.h gives the canonical encoding, src/report renders reports.
#pragma once

#include "base/histogram/sparse_histogram.h"
#include "base/time.h"
#include "results/http_versions.h"
#include "results/metric_result.h"
#include "results/outcome.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hyperscale::results {

// Latency series of one step. `duration` counts every finished exchange; a phase only exchanges that went through it.
struct Series {
  SparseHistogram duration;    // open loop: intended start to end; closed loop: start to end
  SparseHistogram ok;          // the part of `duration` from exchanges that ended ok
  SparseHistogram service;     // first byte written on a ready connection to last byte read
  SparseHistogram connect;     // TCP
  SparseHistogram tls;         // handshake
  SparseHistogram first_byte;  // request written to first byte of the answer

  bool operator==(const Series&) const = default;
};

struct Counts {
  std::array<std::uint64_t, kOutcomeCount> outcomes{};
  std::map<std::uint16_t, std::uint64_t> statuses;  // final statuses of complete answers
  std::uint64_t bytes_sent = 0;                     // of requests, all attempts, above TLS; only bytes actually written
  std::uint64_t bytes_received = 0;
  std::uint64_t connections_opened = 0;
  std::uint64_t tls_resumed = 0;
  std::uint64_t redirects_followed = 0;
  std::uint64_t resent = 0;  // requests written again because their connection ended before the answer

  std::uint64_t requests() const;   // sum of outcomes
  std::uint64_t concluded() const;  // without followed redirects: the base of the error rate
  std::uint64_t errors() const;
  bool operator==(const Counts&) const = default;
};

// Bytes of connections outside of requests: frames of HTTP/2 itself (preface, SETTINGS, PING, WINDOW_UPDATE,
// RST_STREAM, GOAWAY and frames for ended streams), CONNECT and its answer, unsolicited bytes of a server.
struct ConnectionFrames {
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  bool operator==(const ConnectionFrames&) const = default;
};

// An example of a failure; the first distinct ones are kept, distinct by outcome, status and message.
struct Failure {
  Outcome outcome = Outcome::kOk;
  std::uint16_t status = 0;
  std::string message;     // "connect to 127.0.0.1:81: connection refused"
  std::string body_start;  // at most kFailureBodyBytesMax
  std::uint64_t count = 0;
  bool operator==(const Failure&) const = default;
};
inline constexpr std::size_t kFailuresMax = 16;
inline constexpr std::size_t kFailureBodyBytesMax = 200;
inline constexpr std::size_t kFailureMessageBytesMax = 160;
inline constexpr std::size_t kWarningsMax = 64;
inline constexpr std::size_t kChangesMax = 10'000;
inline constexpr std::size_t kNamedSeriesMax = 100;           // per result
inline constexpr std::string_view kOtherSeries = "(others)";  // sum of the series beyond this limit

struct StepResult {
  std::string name;
  Series series;
  Counts counts;
  std::vector<Failure> failures;
  std::map<std::string, std::string> tags = {};
  bool named = false;    // not a step of the plan but calls of its script: by their given name,
  bool by_path = false;  // or, without a name, by method and path
  bool operator==(const StepResult&) const = default;
};

// One second (or other interval) of the run, all steps together.
struct Window {
  Duration start{};  // since counting began, without pauses
  Duration length{};
  std::uint64_t requests = 0;
  std::uint64_t errors = 0;
  std::uint64_t bytes_received = 0;
  std::uint64_t dropped = 0;
  std::uint32_t vus_active = 0;
  Duration p50{}, p90{}, p99{}, max{}, mean{};  // of duration
  SparseHistogram durations = {};               // base of these figures, so that windows merge exactly; empty: not kept
  bool operator==(const Window&) const = default;
};
// Recomputes the figures of a window from its histogram. REQUIRES: it has one.
void set_figures(Window& window);

enum class ExecutorEnd : std::uint8_t { kFinished, kRestarted, kLost };

struct ExecutorReport {
  std::uint32_t index = 0;
  std::int32_t core = -1;
  ExecutorEnd end = ExecutorEnd::kFinished;
  std::string message;  // "killed by signal 9 after 3.2 s with 2 users busy, ...; its share was started again"
  double cpu_s = 0;
  double busy_fraction = 0;   // share of the run that it ran on its core
  double wait_fraction = 0;   // share of the run that it was runnable and waited for its core
  double steal_fraction = 0;  // share of the run that the hypervisor gave its core to others
  bool operator==(const ExecutorReport&) const = default;
};

enum class WorkflowEnd : std::uint8_t { kCompleted, kStopped, kFailed, kNotRun };
std::string_view name(WorkflowEnd end);  // "completed", "not run"

// One of several workflows that ran together; its steps are in the result as "Workflow.step".
struct WorkflowReport {
  std::string name;
  WorkflowEnd end = WorkflowEnd::kCompleted;
  std::string message;           // why it did not run
  std::string load_description;  // as in RunFacts
  std::uint32_t layer = 0;
  std::uint32_t cores = 0;
  Duration begin{};              // of its counted part, since the start of the run
  Duration elapsed{};            // counted part, without pauses
  Duration wall{};               // as `elapsed`, with pauses
  std::uint64_t iterations = 0;  // this and the next two as in Recorded
  std::uint64_t iterations_failed = 0;
  std::uint64_t iterations_cut = 0;
  std::uint64_t dropped = 0;
  std::uint64_t requests = 0;
  std::uint64_t redirected = 0;  // part of requests; errors are a share of the rest
  std::uint64_t errors = 0;
  bool operator==(const WorkflowReport&) const = default;
};

// A load change by a user during the run.
struct ChangeRecord {
  Duration at{};         // since counting began, without pauses
  std::string what;      // "vus=200", "rate=5000", "pause", "resume"
  std::string workflow;  // empty in a run of one workflow
  bool operator==(const ChangeRecord&) const = default;
};

// The record of a share of a run: exact, and the only part of a result that merges.
struct Recorded {
  std::vector<StepResult> steps;    // those of the plan in its order, then named ones by name and tags, then by path
  std::vector<CheckResult> checks;  // in the order of the plan, as metrics are
  std::vector<MetricResult> metrics;
  HttpVersions http;                   // of all connections, including warm-up
  ConnectionFrames connection_frames;  // including warm-up
  std::vector<Window> windows;
  Duration elapsed{};                    // counted part, first start to last end, without pauses: the base of rates
  Duration wall{};                       // the same with pauses
  std::uint64_t iterations = 0;          // begun and ended
  std::uint64_t iterations_failed = 0;   // part of these: a step was not ok, a function threw, or it was cut
  std::uint64_t iterations_cut = 0;      // part of the failed ones: unfinished at the end of the graceful stop
  std::uint64_t dropped = 0;             // could not start; before the end also those that have waited long
  std::uint64_t idle_seconds = 0;        // open loop, all executors: some were due, but none began or ended
  std::uint64_t late = 0;                // datagrams that came after the timeout of their exchange, including warm-up
  std::uint64_t lost_with_executor = 0;  // iterations in progress in executors when these were killed
  std::uint64_t warmup_requests = 0;
  std::uint32_t vus_max = 0;  // most users busy at the same time
  SparseHistogram lag;        // actual start after intended start, caused by the generator
  std::vector<ExecutorReport> executors;
  bool partial = false;  // a share was lost
  std::vector<std::string> warnings;
  bool operator==(const Recorded&) const = default;

  // All steps together.
  Series total_series() const;
  Counts total_counts() const;
  double rate_per_s() const;            // requests over elapsed
  std::uint64_t iterations_ok() const;  // without failed ones
};

// Facts from the owner of a run: its request, its time, its changes. One owner, so it never merges.
struct RunFacts {
  std::string run_id;
  std::string name;
  std::map<std::string, std::string> tags;
  std::string target;            // first URL
  std::string protocol;          // as spoken: "HTTP/1.1", "HTTPS/2", "HTTPS/1.1 and HTTPS/2"
  std::string load_description;  // "50 users for 30s", "2000/s for 1m, at most 500 users"
  std::uint64_t seed = 0;        // of all random decisions; the same seed repeats the run
  WallTime started;
  Duration planned{};  // of the counted part; zero when bounded by count only
  bool open_loop = false;
  double asked_rate_per_s = 0;            // open, constant rate: as requested
  std::vector<WorkflowReport> workflows;  // by layer and name; empty in a run of one workflow
  std::vector<ChangeRecord> changes;      // ordered by time
  bool interrupted = false;               // stopped before its end by the user
  bool operator==(const RunFacts&) const = default;
};

struct RunResult : RunFacts, Recorded {
  RunResult() = default;
  RunResult(RunFacts facts, Recorded recorded) : RunFacts(std::move(facts)), Recorded(std::move(recorded)) {}
  bool operator==(const RunResult&) const = default;
};

// Adds another step; total_series() and total_counts() use these. REQUIRES that histograms have at most
// kHistogramCountMax values together.
void add(Series& to, const Series& more);
void add(Counts& to, const Counts& more);

// True if errors distort the percentiles of all answers: at least kManyErrors of them failed, but not all.
inline constexpr double kManyErrors = 0.01;
bool has_many_errors(const Counts& counts);

// Sum of all checks of a result, without name and example.
CheckResult all_checks(const Recorded& recorded);

// Sorts steps as Recorded requires, and limits named ones to kNamedSeriesMax. merge() and join() call it; other
// producers of a result call it once. REQUIRES of histograms: as above.
void settle_named_series(std::vector<StepResult>& steps);

// Number of values in all histograms of a result. At most kHistogramCountMax in every result that merge() or
// decode_result() has accepted, so total_series() cannot overflow.
std::uint64_t recorded_values(const Recorded& recorded);

// Adds another share of the same run. The result does not depend on the order of shares:
//   counts and histograms   add up exactly
//   named series            join by name and tags; of more than kNamedSeriesMax the lowest by name and tags stay,
//                           those with a name before those by path, and all others add up under kOtherSeries
//   checks, metrics         add up one by one; the last value of a gauge is the one that was recorded last
//   windows                 join by their start: counts, active users and histograms add up, and figures are those
//                           of the histograms together. Of windows without one the larger figures stay, which the true
//                           one never exceeds
//   failures                join by kind; of more than kFailuresMax kinds those with the lowest outcome, status and
//                           message stay
//   vus_max                 adds up: an upper bound, because the peaks of shares need not coincide
//   elapsed, wall           the longest
//   warnings                each once, in alphabetical order; executors in the order of their index
// Fails with kInvalidArgument if steps of the plan, checks or metrics differ, with kTooLarge beyond kHistogramCountMax;
// `into` is then unchanged.
Status merge(Recorded& into, const Recorded& share);

// Adds another workflow of the same run: appends its steps, checks and metrics as "Workflow.step"; a metric of the run
// keeps its name and adds up with the one of the same name and kind. The rest is merged as above. Fails with kTooLarge
// as merge() does.
Status join(Recorded& into, const std::string& workflow, Recorded other);

}  // namespace hyperscale::results
