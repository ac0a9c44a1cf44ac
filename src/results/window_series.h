// WindowSeries: cuts a run into windows of a second by subtracting readings of counters that only grow.
//
// Single-threaded; time is passed in, since the counted part began, and does not go back. Each window is handed out
// with the histogram of what was gained in it, so that windows of several shares merge exactly. What is kept for the
// result is the caller's choice: an owner that has added up its shares before keeps figures, since the histograms of a
// day would need a gigabyte.
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
// A rest shorter than this belongs to the window before it: a rate over a few milliseconds says nothing.
inline constexpr Duration kWindowLengthMin = 100ms;

// What a window needs of a cumulative reading, all steps together.
struct WindowTotals {
  std::uint64_t requests = 0;
  std::uint64_t errors = 0;
  std::uint64_t bytes_received = 0;
  std::uint64_t dropped = 0;
  std::uint32_t users = 0;  // at this moment
  SparseHistogram durations;

  WindowTotals& operator+=(const WindowTotals& other);
};
// REQUIRES: it has its exact part.
WindowTotals window_totals(const Moment& moment);

class WindowSeries {
 public:
  enum class Keep : std::uint8_t { kFigures, kHistograms };
  explicit WindowSeries(Keep keep = Keep::kFigures) : keep_(keep) {}

  bool is_due(Duration at) const { return at >= next_end(); }
  // When the next window ends.
  Duration next_end() const { return last_at_ / kWindowLength * kWindowLength + kWindowLength; }
  // The window that ends now; nothing when no time has passed. Times are kept to the millisecond.
  std::optional<Window> close(WindowTotals totals, Duration at);
  // The last reading of the run. A window with the start of the one before replaces it.
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

// What was gained from `earlier` to `later`.
Window window_between(const WindowTotals& earlier, const WindowTotals& later, Duration start, Duration length);

}  // namespace hyperscale::results
