// RunResult: what came out of a run, as pure data: what its shares recorded, and what its owner knows of it. Only
// Recorded merges: exactly, and in any order.
//
// Plain values; any thread. results_codec.h gives the canonical encoding, src/report what people and machines read.
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

// Latency series of one step. `duration` counts every finished exchange; the phases only those that went through them.
struct Series {
  SparseHistogram duration;    // open loop: intended start to end; closed loop: start to end
  SparseHistogram ok;          // the part of `duration` that is of exchanges that ended ok
  SparseHistogram service;     // first byte written on a ready connection to last byte read
  SparseHistogram connect;     // TCP
  SparseHistogram tls;         // handshake
  SparseHistogram first_byte;  // request written to first byte of the answer

  bool operator==(const Series&) const = default;
};

struct Counts {
  std::array<std::uint64_t, kOutcomeCount> outcomes{};
  std::map<std::uint16_t, std::uint64_t> statuses;  // final statuses of complete answers
  std::uint64_t bytes_sent = 0;                     // of requests, all attempts, above TLS; only what was written
  std::uint64_t bytes_received = 0;
  std::uint64_t connections_opened = 0;
  std::uint64_t tls_resumed = 0;
  std::uint64_t redirects_followed = 0;
  std::uint64_t resent = 0;  // times a request was written again because its connection ended before it was answered

  std::uint64_t requests() const;   // sum of outcomes
  std::uint64_t concluded() const;  // without redirects that were followed: what errors are a share of
  std::uint64_t errors() const;
  bool operator==(const Counts&) const = default;
};

// Bytes of connections that belong to no request: frames of HTTP/2 itself (preface, SETTINGS, PING, WINDOW_UPDATE,
// RST_STREAM, GOAWAY and what came for streams that were over), CONNECT and its answer, what a server sent unasked.
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
inline constexpr std::size_t kNamedSeriesMax = 100;           // of a result
inline constexpr std::string_view kOtherSeries = "(others)";  // holds what is beyond such a limit

struct StepResult {
  std::string name;
  Series series;
  Counts counts;
  std::vector<Failure> failures;
  std::map<std::string, std::string> tags = {};
  bool named = false;    // not a step of the plan, but calls of its script: by the name that they were given,
  bool by_path = false;  // or, without one, by method and path
  bool operator==(const StepResult&) const = default;
};

// One second (or other interval) of the run, all steps together.
struct Window {
  Duration start{};  // since the counted part of the run began, without pauses
  Duration length{};
  std::uint64_t requests = 0;
  std::uint64_t errors = 0;
  std::uint64_t bytes_received = 0;
  std::uint64_t dropped = 0;
  std::uint32_t vus_active = 0;
  Duration p50{}, p90{}, p99{}, max{}, mean{};  // of duration
  SparseHistogram durations = {};               // that these are of, so that windows merge exactly; empty: let go of
  bool operator==(const Window&) const = default;
};
// Makes the figures of a window anew from its histogram. REQUIRES: it has one.
void set_figures(Window& window);

enum class ExecutorEnd : std::uint8_t { kFinished, kRestarted, kLost };

struct ExecutorReport {
  std::uint32_t index = 0;
  std::int32_t core = -1;
  ExecutorEnd end = ExecutorEnd::kFinished;
  std::string message;  // "killed by signal 9 after 3.2 s with 2 users busy, ...; its share was started again"
  double cpu_s = 0;
  double busy_fraction = 0;   // of the run that it had its core
  double wait_fraction = 0;   // of the run that it could have run and waited for its core
  double steal_fraction = 0;  // of the run that the host of this machine gave its core to others
  bool operator==(const ExecutorReport&) const = default;
};

enum class WorkflowEnd : std::uint8_t { kCompleted, kStopped, kFailed, kNotRun };
std::string_view name(WorkflowEnd end);  // "completed", "not run"

// One of several workflows that were run together; its steps are in the result under "Workflow.step".
struct WorkflowReport {
  std::string name;
  WorkflowEnd end = WorkflowEnd::kCompleted;
  std::string message;           // why it was not run
  std::string load_description;  // as that of a run
  std::uint32_t layer = 0;
  std::uint32_t cores = 0;
  Duration begin{};              // of its counted part, since the run began
  Duration elapsed{};            // counted part, without pauses
  Duration wall{};               // the same with them
  std::uint64_t iterations = 0;  // this and the next two as those of a run
  std::uint64_t iterations_failed = 0;
  std::uint64_t iterations_cut = 0;
  std::uint64_t dropped = 0;
  std::uint64_t requests = 0;
  std::uint64_t redirected = 0;  // of the requests; errors are a share of the others
  std::uint64_t errors = 0;
  bool operator==(const WorkflowReport&) const = default;
};

// What someone changed while the run went on.
struct ChangeRecord {
  Duration at{};         // since the run's counted part began, without pauses
  std::string what;      // "vus=200", "rate=5000", "pause", "resume"
  std::string workflow;  // empty when there was but one
  bool operator==(const ChangeRecord&) const = default;
};

// What a share of a run recorded: exact, and the only part of a result that merges.
struct Recorded {
  std::vector<StepResult> steps;    // those of the plan in its order, then named ones by name and tags, then by path
  std::vector<CheckResult> checks;  // in the order of the plan, as metrics are
  std::vector<MetricResult> metrics;
  HttpVersions http;                   // of all connections, the warm-up's included
  ConnectionFrames connection_frames;  // the same
  std::vector<Window> windows;
  Duration elapsed{};                   // counted part, first start to last end, without pauses: what rates are over
  Duration wall{};                      // the same with pauses
  std::uint64_t iterations = 0;         // that began and have ended
  std::uint64_t iterations_failed = 0;  // of these: a step ended other than ok, a function threw, or it was cut
  std::uint64_t iterations_cut = 0;     // of the failed ones: still under way when the graceful stop was over
  std::uint64_t dropped = 0;            // could not start; before the end also those that have waited for long
  std::uint64_t idle_seconds = 0;       // open loop, of all executors: some were due, and nothing began or ended
  std::uint64_t late = 0;               // datagrams that came when their exchange had timed out, the warm-up's included
  std::uint64_t lost_with_executor = 0;  // iterations that were under way in executors when these were killed
  std::uint64_t warmup_requests = 0;
  std::uint32_t vus_max = 0;  // most users busy at once
  SparseHistogram lag;        // actual start after intended start, generator's own part
  std::vector<ExecutorReport> executors;
  bool partial = false;  // a share was lost
  std::vector<std::string> warnings;
  bool operator==(const Recorded&) const = default;

  // All steps together.
  Series total_series() const;
  Counts total_counts() const;
  double rate_per_s() const;            // requests over elapsed
  std::uint64_t iterations_ok() const;  // those that did not fail
};

// What the owner of a run knows of it: what was asked, when, by whom it was changed. One owner, so it never merges.
struct RunFacts {
  std::string run_id;
  std::string name;
  std::map<std::string, std::string> tags;
  std::string target;            // first URL
  std::string protocol;          // that was spoken: "HTTP/1.1", "HTTPS/2", "HTTPS/1.1 and HTTPS/2"
  std::string load_description;  // "50 users for 30s", "2000/s for 1m, at most 500 users"
  std::uint64_t seed = 0;        // of everything random; the same one repeats the run
  WallTime started;
  Duration planned{};  // of the counted part; zero when bounded by count only
  bool open_loop = false;
  double asked_rate_per_s = 0;            // open, constant rate: what was asked
  std::vector<WorkflowReport> workflows;  // by layer and name; empty when there was but one
  std::vector<ChangeRecord> changes;      // by their time
  bool interrupted = false;               // stopped before its end by the user
  bool operator==(const RunFacts&) const = default;
};

struct RunResult : RunFacts, Recorded {
  RunResult() = default;
  RunResult(RunFacts facts, Recorded recorded) : RunFacts(std::move(facts)), Recorded(std::move(recorded)) {}
  bool operator==(const RunResult&) const = default;
};

// Sums of one step or another; total_series() and total_counts() are made of these. REQUIRES of histograms: no more
// than kHistogramCountMax values together.
void add(Series& to, const Series& more);
void add(Counts& to, const Counts& more);

// Whether so many failed that the percentiles of all answers say little of the good ones: kManyErrors of them, and some
// were good.
inline constexpr double kManyErrors = 0.01;
bool has_many_errors(const Counts& counts);

// All checks of a result together, without name and example.
CheckResult all_checks(const Recorded& recorded);

// Brings steps into the order that Recorded has them in, and named ones to at most kNamedSeriesMax. merge() and
// join() do it; whoever makes a result does it once. REQUIRES of histograms: as above.
void settle_named_series(std::vector<StepResult>& steps);

// Values in all histograms of a result together. At most kHistogramCountMax in every result that merge() or
// decode_result() has accepted, so that total_series() has room.
std::uint64_t recorded_values(const Recorded& recorded);

// Adds another share of the same run. The outcome is the same in whatever order shares are merged:
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
// Fails with kInvalidArgument when steps of the plan, checks or metrics differ, with kTooLarge beyond
// kHistogramCountMax; `into` is then unchanged.
Status merge(Recorded& into, const Recorded& share);

// Adds another workflow of the same run: its steps, checks and metrics follow those that are there, as "Workflow.step";
// a metric of the run keeps its name and adds up with the one of the same name and kind. The rest is merged as above.
// Fails with kTooLarge as merge() does.
Status join(Recorded& into, const std::string& workflow, Recorded other);

}  // namespace hyperscale::results
