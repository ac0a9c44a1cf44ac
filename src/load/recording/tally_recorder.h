// TallyRecorder: folds samples into the executor's tallies in shared memory (tally_layout.h).
//
// Single-threaded, the executor's loop. No call allocates, blocks or fails.
#pragma once

#include "load/recording/tally_layout.h"
#include "results/outcome.h"
#include "stream/sample_sink.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace hyperscale::load {

class TallyRecorder final : public stream::SampleSink {
 public:
  // `memory` is zero at first and at least tally_bytes(steps) long.
  TallyRecorder(void* memory, std::size_t steps);

  void record(const stream::Sample& sample) override;
  // An example of a failure that was recorded; the first distinct ones are kept.
  void failure(std::uint16_t step, results::Outcome outcome, std::uint16_t status, std::string_view message,
               std::string_view body_start);
  void connection_opened(std::uint16_t step) { bump(step_[step].connections_opened); }
  void tls_resumed(std::uint16_t step) { bump(step_[step].tls_resumed); }
  void redirect_followed(std::uint16_t step) { bump(step_[step].redirects_followed); }
  void iteration_done() { bump(executor_.iterations); }
  void dropped(std::uint64_t count) { bump(executor_.dropped, count); }
  void warmup_request() { bump(executor_.warmup_requests); }
  void lag(Duration late);
  void arrivals(std::uint64_t count) { put(executor_.arrivals, count); }
  void users_busy(std::uint32_t count);
  void span(MonoTime start, MonoTime end);
  MonoTime last_end() const { return MonoTime::from_ns(static_cast<std::int64_t>(look(executor_.last_end_ns))); }

 private:
  ExecutorCells& executor_;
  std::span<StepCells> step_;
};

}  // namespace hyperscale::load
