// LiveRun: the live view of a run. It owns the run's world and fills the one LiveView from its moments and from the
// state of the runner. All displays of the run use this view, so that they show the same figures for the same tick. It
// also refuses a change whose basis tick is too old.
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

// Progress of the run, from its runner.
struct RunPhase {
  bool started = false;
  bool stopping = false;
  bool done = false;
  MonoTime counted_from = MonoTime::max();  // max: not counting yet
  const jobs::ActiveTime* clock = nullptr;  // of the run; not null
  Duration planned{};

  bool counting() const { return counted_from != MonoTime::max(); }
  // Time of the run at that moment, without pauses; negative during warm-up. REQUIRES: counting().
  Duration elapsed_at(MonoTime at) const { return clock->active_within(counted_from, at); }
};

// True if at least one workflow runs and all running ones are paused.
bool is_paused(const WorkflowRuns& runs);

class LiveRun {
 public:
  // `start` has what is known before the run: names, target, plan. Views show no text that `redactor` replaces.
  static Result<std::unique_ptr<LiveRun>> make(asio::io_context& io, const WorkflowRuns& runs, live::LiveView start,
                                               const Redactor& redactor, double tick_rate_hz);
  ~LiveRun();

  // Rereads the list of executors; call it after an executor started or ended.
  void read_tallies();
  // The view of the newest tick; unchanged if the world has no moment yet.
  const live::LiveView& look(const RunPhase& phase, MonoTime now);
  // The same for a tick that is made now, for single requests.
  const live::LiveView& look_now(const RunPhase& phase, MonoTime now);
  live::LiveLine line(const RunPhase& phase, MonoTime now);
  // The tick of the last view.
  std::uint64_t tick() const { return view_.view().tick; }
  // Checks the basis tick of a change: kInvalidArgument for a future tick, kBusy for one that is too old; the limit
  // adapts (realtime/adaptive_backoff.h). REQUIRES: look() has just been called.
  Status check_basis(std::optional<std::uint64_t> basis);

  // Takes effect at the next tick: figures of a tick that was shown do not change.
  void show(std::span<const results::Verdict> verdicts);
  void log(std::string sentence) { view_.log(live::LogLevel::kInfo, std::move(sentence)); }

  // Calls `done` on `io` when look() shows everything up to this call, or after a time limit.
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
  results::Moment moment_;  // the last one; memory is reused
  MonoTime read_at_;        // when it was read
  realtime::AdaptiveBackoff backoff_{realtime::BackoffConfig()};
  std::uint64_t judged_ = 0, stale_ = 0;  // changes since that moment
  std::vector<live::ThresholdView> thresholds_;
};

}  // namespace hyperscale::node
