// WindowSeries: divides a run into windows of a second by subtracting readings of cumulative counters.
//
// Single-threaded; time is passed in, relative to the start of counting, and does not go back. Each window is returned
// with the histogram of its own values, so that windows of several shares merge exactly. The caller chooses what is
// kept for the result: an owner that has already added up its shares keeps figures, since the histograms of a day would
// need a gigabyte.
#pragma once

#include "base/histogram/sparse_histogram.h"
#include "base/time.h"
#include "results/moment.h"
#include "results/run_result.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hyperscale::results {

inline constexpr Duration kWindowLength = 1s;
// A shorter rest is added to the previous window: a rate over a few milliseconds is meaningless.
inline constexpr Duration kWindowLengthMin = 100ms;

// The cumulative values that a window is computed from, all steps together.
struct WindowTotals {
  std::uint64_t requests = 0;
  std::uint64_t errors = 0;
  std::uint64_t bytes_received = 0;
  std::uint64_t dropped = 0;
  std::uint32_t users = 0;  // at this moment
  SparseHistogram durations;

  WindowTotals& operator+=(const WindowTotals& other);
};
// REQUIRES: the moment has its exact part.
WindowTotals window_totals(const Moment& moment);

class WindowSeries {
 public:
  enum class Keep : std::uint8_t { kFigures, kHistograms };
  explicit WindowSeries(Keep keep = Keep::kFigures) : keep_(keep) {}

  bool is_due(Duration at) const { return at >= next_end(); }
  // When the next window ends.
  Duration next_end() const { return last_at_ / kWindowLength * kWindowLength + kWindowLength; }
  // The window that ends now; nullopt if no time has passed. Times are rounded to milliseconds.
  std::optional<Window> close(WindowTotals totals, Duration at);
  // Adds the last reading of the run. A window with the start of the previous one replaces it.
  Window finish(const WindowTotals& totals, Duration at);

  const std::vector<Window>& windows() const { return windows_; }

 private:
  void keep(Window window);

  const Keep keep_;
  std::vector<Window> windows_;
  WindowTotals before_;  // at the start of the last window
  WindowTotals last_;    // at its end
  Duration last_at_{};
};

// The difference from `earlier` to `later`.
Window window_between(const WindowTotals& earlier, const WindowTotals& later, Duration start, Duration length);

}  // namespace hyperscale::results
