// LiveViewBuilder: what the screen shows of a local run, from the moments of its world. Keeps about a second of them,
// for rates and percentiles of "now", and one point per second for plots.
//
// Single-threaded; time is passed in, since the counted part began (negative during warm-up). It stands still while the
// run is paused.
#pragma once

#include "base/time.h"
#include "live/run_moment.h"
#include "tui/live_view.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace hyperscale::live {

struct LiveWorkflow {
  std::string name;
  std::vector<std::string> steps;
};

class LiveViewBuilder {
 public:
  // `start` has what is known of the run beforehand: names, target, plan. Steps are numbered as those of the moments.
  LiveViewBuilder(tui::LiveView start, const std::vector<LiveWorkflow>& workflows);

  void take(const RunMoment& moment, Duration at);
  void log(tui::LogLevel level, std::string text);
  // What the runner knows and the world does not.
  tui::LiveView& facts() { return view_; }
  const tui::LiveView& view() const { return view_; }

 private:
  struct Past {
    Duration at{};
    std::vector<StepMoment> workflows;
    std::uint64_t bytes_sent = 0, bytes_received = 0;
  };
  bool stands_still(Duration at) const { return !past_.empty() && past_.back().at == at && at > Duration::zero(); }
  void show_totals(const RunMoment& moment, Duration at, const Past& now);
  void show_steps(const RunMoment& moment);
  void push_points(const Past& now);

  tui::LiveView view_;
  std::deque<Past> past_;
  Past point_;  // when the last point was made
};

}  // namespace hyperscale::live
