// LiveViewBuilder: computes the live view from moments. The only place that computes a current rate or percentile:
// screen, ctl status, API, feed, metrics and lines of JSON show its view, so that they agree to the digit. It keeps
// about a second of moments, and one point per second for plots.
//
// Single-threaded; time is passed in, relative to the start of counting (negative during warm-up). It stops while the
// run is paused, and all rates are zero then. Moments come from a world of this process or over a wire.
#pragma once

#include "base/time.h"
#include "live/live_view.h"
#include "results/moment.h"

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
  // `start` holds what is known before the run: names, target, plan. Steps are numbered as in the moments.
  LiveViewBuilder(LiveView start, const std::vector<LiveWorkflow>& workflows);

  // The figures of all workflows together; the view's tick is the moment's sequence. A moment that is not newer than
  // the last one is ignored. `at` is the time of the moment and does not go back.
  void take(const results::Moment& moment, Duration at);
  void log(LogLevel level, std::string text);
  // Facts from the owner of the run that moments do not contain.
  LiveView& facts() { return view_; }
  const LiveView& view() const { return view_; }

 private:
  struct Past {
    Duration at{};
    std::vector<results::StepMoment> workflows;
    std::vector<std::uint64_t> requests;  // per step
  };
  bool stands_still(Duration at) const { return !past_.empty() && past_.back().at == at && at > Duration::zero(); }
  void show_totals(const results::ShareMoment& share, Duration at, const Past& now, const Past& before, double span);
  void show_steps(const results::FastMoment& moment, const Past& before, double span);
  void push_points(const Past& now);

  LiveView view_;
  std::deque<Past> past_;
  Past point_;  // state at the last point
};

}  // namespace hyperscale::live
