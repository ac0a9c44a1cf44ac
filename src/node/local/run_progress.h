// RunProgress: how a run is getting on, from readings taken now and then: the figures of the last second and the
// windows of the whole run.
//
// Single-threaded; time is passed in, since the counted part began (negative during warm-up). It stands still while the
// run is paused, and nothing is a rate then.
#pragma once

#include "base/time.h"
#include "load/recording/tally_reader.h"
#include "node/local/window_builder.h"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::node {

struct ProgressFigures {
  Duration elapsed{}, planned{};  // planned is zero when the run is bounded by count
  std::uint64_t requests = 0, errors = 0;
  double rate_per_s = 0;  // now
  Duration p50{}, p99{};  // of the last second; zero when it had no answer
  std::uint32_t vus = 0;  // busy
  std::uint64_t iterations = 0, iterations_failed = 0, dropped = 0;
  std::string http_version = {};  // spoken so far
};

class RunProgress {
 public:
  // Zero: not known.
  explicit RunProgress(Duration planned) : planned_(planned) {}

  // A window ends: its figures have to be taken.
  bool is_due(Duration at) const { return at >= windows_.next_end(); }
  void take(load::LiveReading reading, Duration at);
  void finish(const load::LiveReading& reading, Duration at) { windows_.finish(reading, at); }

  ProgressFigures figures() const;
  // For the control socket.
  std::string status_json(const std::string& run_id, std::uint64_t tick, std::string_view state) const;
  const std::vector<results::Window>& windows() const { return windows_.windows(); }

 private:
  struct Moment {
    Duration at;
    load::LiveReading reading;
  };
  const Duration planned_;
  bool stands_still_ = false;
  std::deque<Moment> recent_;  // about the last second
  WindowBuilder windows_;
};

}  // namespace hyperscale::node
