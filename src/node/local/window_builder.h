// WindowBuilder: cuts a run into windows by subtracting readings of counters that only grow.
//
// Single-threaded; time is passed in. Percentiles of a window are those of the histogram that was gained in it.
#pragma once

#include "base/time.h"
#include "load/recording/tally_reader.h"
#include "results/run_result.h"

#include <vector>

namespace hyperscale::node {

inline constexpr Duration kWindowLength = 1s;
// A rest shorter than this belongs to the window before it: a rate over a few milliseconds says nothing.
inline constexpr Duration kWindowLengthMin = 100ms;

class WindowBuilder {
 public:
  // `at` is since the counted part began and does not go back. Times are kept to the millisecond.
  void close(load::LiveReading reading, Duration at);
  // The last reading of the run.
  void finish(const load::LiveReading& reading, Duration at);
  const std::vector<results::Window>& windows() const { return windows_; }
  // When the next window ends.
  Duration next_end() const { return last_at_ / kWindowLength * kWindowLength + kWindowLength; }

 private:
  std::vector<results::Window> windows_;
  load::LiveReading before_;  // at the start of the last window
  load::LiveReading last_;    // at its end
  Duration last_at_{};
};

// What was gained from `earlier` to `later`.
results::Window window_between(const load::LiveReading& earlier, const load::LiveReading& later, Duration start,
                               Duration length);

}  // namespace hyperscale::node
