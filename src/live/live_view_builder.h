// LiveViewBuilder: from moments to what is shown. The one place where a rate or a percentile of "now" is made: the
// screen, ctl status, the API, the feed, metrics and lines of JSON all show its view, so that they agree to the digit.
// It keeps about a second of moments, and one point per second for plots.
//
// Single-threaded; time is passed in, since the counted part began (negative during warm-up). It stands still while the
// run is paused, and nothing is a rate then. Moments may come from a world of this process or over a wire.
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
  // `start` has what is known of the run beforehand: names, target, plan. Steps are numbered as those of the moments.
  LiveViewBuilder(LiveView start, const std::vector<LiveWorkflow>& workflows);

  // The figures of all workflows together; the view's tick is the moment's sequence. A moment that is not newer than
  // the last one changes nothing. `at` is when it was, and does not go back.
  void take(const results::Moment& moment, Duration at);
  void log(LogLevel level, std::string text);
  // What the owner of the run knows and moments do not.
  LiveView& facts() { return view_; }
  const LiveView& view() const { return view_; }

 private:
  struct Past {
    Duration at{};
    std::vector<results::StepMoment> workflows;
    std::vector<std::uint64_t> requests;  // of each step
  };
  bool stands_still(Duration at) const { return !past_.empty() && past_.back().at == at && at > Duration::zero(); }
  void show_totals(const results::ShareMoment& share, Duration at, const Past& now, const Past& before, double span);
  void show_steps(const results::FastMoment& moment, const Past& before, double span);
  void push_points(const Past& now);

  LiveView view_;
  std::deque<Past> past_;
  Past point_;  // when the last point was made
};

}  // namespace hyperscale::live
