// TallyRecorder: folds samples into the executor's tallies in shared memory (tally_layout.h).
//
// Single-threaded, the executor's loop. No call allocates, blocks or fails.
#pragma once

#include "load/recording/tally_layout.h"
#include "plan/plan.h"
#include "results/outcome.h"
#include "stream/sample_sink.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace hyperscale::load {

class TallyRecorder final : public stream::SampleSink {
 public:
  // `memory` is zero at first and at least tally_bytes(shape) long.
  TallyRecorder(void* memory, const TallyShape& shape);

  void record(const stream::Sample& sample) override;
  // An example of a failure that was recorded; the first distinct ones are kept.
  void failure(std::uint16_t step, results::Outcome outcome, std::uint16_t status, std::string_view message,
               std::string_view body_start);
  // The first failure that brings a message is kept as the example.
  void check(std::size_t index, bool passed, std::string_view message = {});
  // A value that is not finite is ignored, one beyond results::kMetricValueMax counts as that.
  void metric(std::size_t index, double value);
  // The series of that label and those tags, to be used as Sample::step; it is made when there is none yet. Texts are
  // cut to their limits, a tag that does not fit is left out. When all are taken it is the last one,
  // results::kOtherSeries. REQUIRES: the shape has named ones.
  std::uint16_t series(std::string_view label, std::span<const plan::Tag> tags);
  // A call that a script made and that no step returned.
  void unmeasured_call() { bump(executor_.unmeasured_calls); }
  void connection_opened(std::uint16_t step) { bump(step_[step].connections_opened); }
  void tls_resumed(std::uint16_t step) { bump(step_[step].tls_resumed); }
  void redirect_followed(std::uint16_t step) { bump(step_[step].redirects_followed); }
  void iteration_done() { bump(executor_.iterations); }
  void dropped(std::uint64_t count) { bump(executor_.dropped, count); }
  void warmup_request() { bump(executor_.warmup_requests); }
  void lag(Duration late);
  void arrivals(std::uint64_t count) { put(executor_.arrivals, count); }
  void alive(MonoTime now) { put(executor_.alive_ns, static_cast<std::uint64_t>(now.ns())); }
  void users_busy(std::uint32_t count);
  void span(MonoTime start, MonoTime end);
  MonoTime last_end() const { return MonoTime::from_ns(static_cast<std::int64_t>(look(executor_.last_end_ns))); }

 private:
  ExecutorCells& executor_;
  const std::size_t steps_;    // of the plan
  std::span<StepCells> step_;  // and the named ones after them
  std::span<SeriesLabel> label_;
  std::span<CheckCells> check_;
  std::span<MetricCells> metric_;
};

}  // namespace hyperscale::load
