// Reading an executor's tallies, while it runs or after it has ended, in whatever way.
//
// Any thread of the process that holds the region. The memory was written by a process that may have misbehaved: every
// number is bounded before it is used.
#pragma once

#include "base/result.h"
#include "load/recording/tally_layout.h"
#include "plan/plan.h"
#include "results/moment.h"
#include "results/run_result.h"
#include "results/window_series.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::load {

struct MetricName {
  std::string name;
  results::MetricKind kind = results::MetricKind::kCounter;
  bool of_run = false;  // see results::MetricResult
};

// What the numbers of a tally stand for, from the plan. Lists that are shorter than the shape leave the rest unnamed.
struct TallyNames {
  std::vector<std::string> steps;
  std::vector<std::vector<plan::Tag>> step_tags = {};
  std::vector<std::string> checks = {};
  std::vector<MetricName> metrics = {};
};

class TallyReader {
 public:
  TallyReader(const void* memory, const TallyShape& shape) : memory_(memory), shape_(shape) {}

  // All steps together with their exact durations, for windows.
  results::WindowTotals live() const;
  // The next two are read sixty times a second, without a look at the exact histograms. Of a step of the plan with the
  // series that are its parts; behind the last one, all series that a script named, together.
  results::StepMoment step_reading(std::size_t index) const;
  results::ShareMoment executor_reading() const;
  // What the step number of a sample stands for: the steps of the plan, then the series that were named so far.
  std::vector<std::string> series_names(const TallyNames& names) const;
  std::size_t series_count() const { return shape_.steps + named_used(); }
  // Samples that were recorded: requests without those that have none, the redirects within a scripted call.
  std::uint64_t samples() const;
  // Values that found no memory of their own; share() warns of them.
  std::uint64_t overflowed() const { return look(executor().overflowed); }
  // Steps, named series, checks, metrics, counts, histograms, iterations, dropped (with what is overdue), idle seconds,
  // warmup_requests, vus_max, lag and elapsed of this share. What only the runner knows (id, windows, executors, ...)
  // is left empty.
  results::Recorded share(const TallyNames& names) const;
  // Scheduled arrivals that were due when the executor last looked; where a successor goes on.
  std::uint64_t arrivals() const;
  // Arrivals that waited and were not overdue: of an executor that died, iterations that nobody will begin.
  std::uint64_t waiting_in_time() const;
  // Iterations of the user with the most of them.
  std::uint64_t rounds() const;
  // When an executor with a script was last known to be alive; zero: never.
  MonoTime alive() const;
  // Monotonic bounds of what was counted; both zero while nothing was.
  MonoTime first_start() const;
  MonoTime last_end() const;

 private:
  results::HttpVersions http() const;
  const ExecutorCells& executor() const { return *static_cast<const ExecutorCells*>(memory_); }
  template <typename Cells>
  const Cells& cells_at(std::size_t offset, std::size_t index) const;
  const StepCells& step(std::size_t index) const;
  void add_step(results::StepMoment& to, std::size_t index) const;
  SparseHistogram read(const HistogramCells& cells, std::size_t number, const DisplayCells* display = nullptr) const;
  SparseHistogram read_durations(std::size_t index) const;
  results::StepResult read_step(std::size_t index) const;
  results::MetricResult read_metric(std::size_t index, const MetricName& name) const;
  std::size_t named_used() const;
  std::vector<results::StepResult> steps(const TallyNames& names) const;
  const void* memory_;
  TallyShape shape_;
};

}  // namespace hyperscale::load
