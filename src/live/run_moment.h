// RunMoment: how a run stands at one tick of its world. A plain value; any thread.
#pragma once

#include "load/recording/tally_reader.h"

#include <cstdint>
#include <vector>

namespace hyperscale::live {

using load::DisplayCounts;

// One step, all executors together, since the start.
struct StepMoment : load::StepReading {
  double rate_per_s = 0;  // over the last second

  std::uint64_t requests() const;
  std::uint64_t errors() const;
  StepMoment& operator+=(const StepMoment& other);
};

struct RunMoment {
  std::uint64_t tick = 0;
  std::vector<StepMoment> steps;                 // of all workflows, one after the other
  std::vector<load::ExecutorReading> executors;  // of all workflows, one after the other; in a large run all in one
};

// The upper end of the bucket that holds the percentile; zero of nothing.
Duration percentile_of(const DisplayCounts& counts, double percentile);
// What came in between. REQUIRES: `earlier` is an earlier reading of the same.
DisplayCounts difference(const DisplayCounts& later, const DisplayCounts& earlier);
void add(DisplayCounts& to, const DisplayCounts& more);

}  // namespace hyperscale::live
