// Reading an executor's tallies, while it runs or after it has ended, in whatever way.
//
// Any thread of the process that holds the region. The memory was written by a process that may have misbehaved: every
// number is bounded before it is used.
#pragma once

#include "base/result.h"
#include "load/recording/tally_layout.h"
#include "results/run_result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::load {

// The figures that change every moment, cheap to read; for the live line and the windows.
struct LiveReading {
  std::uint64_t requests = 0;
  std::uint64_t errors = 0;
  std::uint64_t bytes_received = 0;
  std::uint64_t iterations = 0;
  std::uint64_t dropped = 0;
  std::uint32_t vus_busy = 0;
  LatencyHistogram duration;  // of all steps, since the start

  LiveReading& operator+=(const LiveReading& other);
};

class TallyReader {
 public:
  TallyReader(const void* memory, std::size_t steps) : memory_(memory), steps_(steps) {}

  LiveReading live() const;
  // Steps, counts, histograms, iterations, dropped, warmup_requests, vus_max, lag and elapsed of this share. `names`
  // are the plan's step names. What only the runner knows (id, windows, executors, ...) is left empty.
  results::RunResult share(const std::vector<std::string>& names) const;
  // Scheduled arrivals that were due when the executor last looked; where a successor goes on.
  std::uint64_t arrivals() const;
  // Monotonic bounds of what was counted; both zero while nothing was.
  MonoTime first_start() const;
  MonoTime last_end() const;

 private:
  const ExecutorCells& executor() const { return *static_cast<const ExecutorCells*>(memory_); }
  const StepCells& step(std::size_t index) const;
  const void* memory_;
  std::size_t steps_;
};

}  // namespace hyperscale::load
