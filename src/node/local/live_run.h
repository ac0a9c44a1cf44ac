// LiveRun: how a run looks while it goes on. It keeps the run's world, fills the LiveView from its moments and from
// what the runner knows, and passes commands through the world, so that each gets its place in a tick or is refused as
// stale.
//
// Thread rule: the thread of `io`. `runs` outlives it and does not change its size.
#pragma once

#include "base/redactor.h"
#include "base/result.h"
#include "live/live_line.h"
#include "live/live_view_builder.h"
#include "node/control/control_socket.h"
#include "node/local/post_box.h"
#include "node/local/run_world.h"
#include "node/local/workflow_run.h"
#include "results/threshold.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>

namespace hyperscale::node {

// Where the run is, as its runner knows.
struct RunPhase {
  bool started = false;
  bool stopping = false;
  bool done = false;
  MonoTime counted_from = MonoTime::max();  // max: nothing counts yet
  Duration elapsed{};                       // since then, without pauses; negative before
  Duration planned{};

  bool counting() const { return counted_from != MonoTime::max(); }
};

// True if at least one workflow is under way and all that are under way are paused.
bool is_paused(const WorkflowRuns& runs);

class LiveRun {
 public:
  // `start` has what is known beforehand: names, target, plan. No view shows what `redactor` replaces.
  static Result<std::unique_ptr<LiveRun>> make(asio::io_context& io, const WorkflowRuns& runs, tui::LiveView start,
                                               const Redactor& redactor, double tick_rate_hz);
  ~LiveRun();

  // Executors come and go; what there is now is read from now on.
  void read_tallies();
  // The view of this moment. A world that has no moment yet leaves it as it was.
  const tui::LiveView& look(const RunPhase& phase, MonoTime now);
  live::LiveLine line(const RunPhase& phase, MonoTime now);
  // Of the moment that was last looked at.
  std::uint64_t tick() const { return tick_; }

  void show(std::span<const results::Verdict> verdicts);
  void log(std::string sentence) { view_.log(tui::LogLevel::kInfo, std::move(sentence)); }

  // Calls back on `io` when look() shows all that has happened until now.
  void settle(std::function<void()> done);

  using Apply = std::function<Result<std::string>(const plan::LoadRequest&, std::uint64_t tick)>;
  // `apply` is called when the command has its tick; `answer` gets what it says, or why the command was refused.
  void submit(const plan::LoadRequest& asked, Apply apply, ChangeAnswer answer);

 private:
  LiveRun(asio::io_context& io, const WorkflowRuns& runs, std::unique_ptr<RunWorld> world, tui::LiveView start,
          const std::vector<live::LiveWorkflow>& workflows);
  void show_workflows(tui::LiveView& view) const;

  const std::shared_ptr<PostBox> box_;  // to `io`, for receipts
  const WorkflowRuns& runs_;
  std::unique_ptr<RunWorld> world_;
  live::LiveViewBuilder view_;
  Redactor redactor_;
  std::uint64_t tick_ = 0;
};

}  // namespace hyperscale::node
