// Reporter: one place that a run is reported to while it goes on and when it is over: a file that grows, later a
// database or a dashboard. The door for new ones; see "where does a reporter go" in README.md.
//
// A reporter lives in the process that owns the run, behind a ReportQueue (report_queue.h), never in an executor: it
// may block and fail without touching the measurement. Thread rule: all calls come from one thread, that of the queue,
// in this order: begin(), then moments, windows and samples as they come, then end() once, also after a failure. Times
// of moments and windows do not go back. Failure: the first error ends the reporter; what comes after it is counted as
// dropped, and both are warnings in the result of the run.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "live/live_line.h"
#include "results/run_result.h"
#include "stream/sample_sink.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hyperscale::report {

// Who made the samples of a span: the same for many spans, so it is shared.
struct SampleSource {
  std::string workflow;
  std::uint32_t executor = 0;           // number in the run
  std::vector<std::string> steps = {};  // names of the numbers in the samples; a number beyond them has none
  MonoTime started = {};                // of the run: RunFacts::started on the clock of the samples
};

// Samples of one executor, in the order in which it recorded them.
struct SampleSpan {
  std::shared_ptr<const SampleSource> source;
  std::span<const stream::Sample> samples;
};

// What came of a reporter so far.
struct ReporterReport {
  std::string name;                // "jsonl"
  std::uint64_t taken = 0;         // items: moments, windows, pieces of spans of samples
  std::uint64_t dropped = 0;       // because its queue was full, or after its failure
  std::uint64_t samples_lost = 0;  // in dropped spans, or overwritten before they were read
  std::string error = {};          // why it ended early; empty: it did not
  bool operator==(const ReporterReport&) const = default;
};

class Reporter {
 public:
  virtual ~Reporter() = default;

  virtual std::string name() const = 0;  // "jsonl": what messages and the result call it
  // What is known when the run begins: names, target, load, seed.
  virtual Status begin(const results::RunFacts&) { return {}; }
  // The view of one tick as JSON, about once a second, also in a pause.
  virtual Status moment(const live::LiveLine&) { return {}; }
  // A second of the run with its histogram. One with the start of the one before replaces it.
  virtual Status window(const results::Window&) { return {}; }
  // Only for reporters that say so: samples cost a copy each. At most kReportPieceSamplesMax in a call.
  virtual bool wants_samples() const { return false; }
  virtual Status samples(const SampleSpan&) { return {}; }
  // The result; its warnings say what this reporter did not get.
  virtual Status end(const results::RunResult&) { return {}; }
};

}  // namespace hyperscale::report
