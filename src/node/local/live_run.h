// LiveRun: how a run looks while it goes on. It keeps the run's world and fills the one LiveView from its moments and
// from what the runner knows. Everything that shows the run asks here, so that figures of the same tick are the same
// everywhere. It also says whether a change rests on a moment that is too old.
//
// Thread rule: the thread of `io`. `runs` outlives it and does not change its size.
#pragma once

#include "base/redactor.h"
#include "base/result.h"
#include "jobs/active_time.h"
#include "live/live_line.h"
#include "live/live_view_builder.h"
#include "node/local/run_world.h"
#include "node/local/workflow_run.h"
#include "realtime/adaptive_backoff.h"
#include "results/moment.h"
#include "results/threshold.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hyperscale::node {

// Where the run is, as its runner knows.
struct RunPhase {
  bool started = false;
  bool stopping = false;
  bool done = false;
  MonoTime counted_from = MonoTime::max();  // max: nothing counts yet
  const jobs::ActiveTime* clock = nullptr;  // of the run; not null
  Duration planned{};

  bool counting() const { return counted_from != MonoTime::max(); }
  // Time of the run at that moment, without pauses; negative before anything counts. REQUIRES: counting().
  Duration elapsed_at(MonoTime at) const { return clock->active_within(counted_from, at); }
};

// True if at least one workflow is under way and all that are under way are paused.
bool is_paused(const WorkflowRuns& runs);

class LiveRun {
 public:
  // `start` has what is known beforehand: names, target, plan. No view shows what `redactor` replaces.
  static Result<std::unique_ptr<LiveRun>> make(asio::io_context& io, const WorkflowRuns& runs, live::LiveView start,
                                               const Redactor& redactor, double tick_rate_hz);
  ~LiveRun();

  // Executors come and go; what there is now is read from now on.
  void read_tallies();
  // The view of the newest tick. A world that has no moment yet leaves it as it was.
  const live::LiveView& look(const RunPhase& phase, MonoTime now);
  // The same of a tick that is made now: for a person who asks once.
  const live::LiveView& look_now(const RunPhase& phase, MonoTime now);
  live::LiveLine line(const RunPhase& phase, MonoTime now);
  // Of the moment that was last looked at.
  std::uint64_t tick() const { return view_.view().tick; }
  // Whether a change may rest on that tick: kInvalidArgument when it has not come yet, kBusy when it is too many ticks
  // ago; how many adapts (realtime/adaptive_backoff.h). REQUIRES: look() has just been called.
  Status check_basis(std::optional<std::uint64_t> basis);

  // From the next tick on: what has been shown of a tick stays.
  void show(std::span<const results::Verdict> verdicts);
  void log(std::string sentence) { view_.log(live::LogLevel::kInfo, std::move(sentence)); }

  // Calls back on `io` when look() shows all that has happened until now.
  void settle(std::function<void()> done);

 private:
  LiveRun(asio::io_context& io, const WorkflowRuns& runs, std::unique_ptr<RunWorld> world, live::LiveView start,
          const std::vector<live::LiveWorkflow>& workflows);
  void take(const RunPhase& phase);
  void show_workflows(live::LiveView& view) const;
  void await_tick(std::uint64_t tick, int rounds, std::function<void()> done);

  asio::steady_timer timer_;
  const WorkflowRuns& runs_;
  std::unique_ptr<RunWorld> world_;
  live::LiveViewBuilder view_;
  Redactor redactor_;
  results::Moment moment_;  // the last one; its memory is used again
  MonoTime read_at_;        // when it was
  realtime::AdaptiveBackoff backoff_{realtime::BackoffConfig()};
  std::uint64_t judged_ = 0, stale_ = 0;  // changes since that moment
  std::vector<live::ThresholdView> thresholds_;
};

}  // namespace hyperscale::node
