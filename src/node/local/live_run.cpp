#include "node/local/live_run.h"

#include "live/live_json.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

std::string refusal_of(const realtime::Receipt& receipt) {
  if (receipt.outcome == realtime::CommandOutcome::kStale) {
    return fmt::format("stale: the change rests on tick {}, and the run is at tick {}; look again",
                       receipt.basis_tick.value_or(0), receipt.tick);
  }
  return fmt::format("refused: {}", realtime::name(receipt.outcome));
}

tui::RunState state_of(const RunPhase& phase, bool paused, MonoTime now) {
  if (phase.done) return tui::RunState::kDone;
  if (!phase.started || !phase.counting()) return tui::RunState::kStarting;
  if (phase.stopping) return tui::RunState::kStopping;
  if (paused) return tui::RunState::kPaused;
  return now < phase.counted_from ? tui::RunState::kWarmUp : tui::RunState::kRunning;
}

tui::WorkflowState state_of(const WorkflowRun& run) {
  if (!run.begun()) return tui::WorkflowState::kWaiting;
  if (!run.done()) return run.paused() ? tui::WorkflowState::kPaused : tui::WorkflowState::kRunning;
  return run.completed() ? tui::WorkflowState::kDone : tui::WorkflowState::kFailed;
}

}  // namespace

bool is_paused(const WorkflowRuns& runs) {
  bool any = false;
  for (const auto& run : runs) {
    if (!run->begun() || run->done()) continue;
    if (!run->paused()) return false;
    any = true;
  }
  return any;
}

LiveRun::LiveRun(asio::io_context& io, const WorkflowRuns& runs, std::unique_ptr<RunWorld> world, tui::LiveView start,
                 const std::vector<live::LiveWorkflow>& workflows)
    : box_(std::make_shared<PostBox>(io)), runs_(runs), world_(std::move(world)), view_(std::move(start), workflows) {}

// The world's thread may be late with a receipt, also beyond the end of the world.
LiveRun::~LiveRun() {
  box_->close();
}

Result<std::unique_ptr<LiveRun>> LiveRun::make(asio::io_context& io, const WorkflowRuns& runs, tui::LiveView start,
                                               const Redactor& redactor, double tick_rate_hz) {
  for (std::string* text : {&start.run_name, &start.target}) redactor.apply(*text);
  std::vector<live::LiveWorkflow> workflows;
  std::uint32_t steps = 0;
  for (const auto& run : runs) {
    workflows.push_back({run->name(), run->step_names()});
    redactor.apply(workflows.back().name);
    for (std::string& step : workflows.back().steps) redactor.apply(step);
    steps += static_cast<std::uint32_t>(workflows.back().steps.size());
    start.executors += run->executors();
  }
  auto world = RunWorld::make({.steps = steps, .executors = start.executors, .tick_rate_hz = tick_rate_hz});
  if (!world) return fail(world.error());
  std::unique_ptr<LiveRun> live(new LiveRun(io, runs, std::move(*world), std::move(start), workflows));
  live->redactor_ = redactor;
  live->read_tallies();
  return live;
}

void LiveRun::read_tallies() {
  std::vector<TallySource> sources;
  std::uint32_t step = 0;
  for (const auto& run : runs_) {
    std::ranges::move(run->sources(step), std::back_inserter(sources));
    step += static_cast<std::uint32_t>(run->step_names().size());
  }
  world_->read(std::move(sources));
}

const tui::LiveView& LiveRun::look(const RunPhase& phase, MonoTime now) {
  if (const auto moment = world_->observe(); moment) {
    tick_ = moment->tick;
    if (phase.counting()) view_.take(*moment, phase.elapsed);
  }
  tui::LiveView& view = view_.facts();
  view.state = state_of(phase, is_paused(runs_), now);
  view.planned = phase.planned;
  show_workflows(view);
  return view;
}

live::LiveLine LiveRun::line(const RunPhase& phase, MonoTime now) {
  std::string json = live::live_json(look(phase, now), tick_);
  return {.tick = tick_, .json = std::move(json), .last = phase.done};
}

void LiveRun::show_workflows(tui::LiveView& view) const {
  std::uint32_t asked = 0;  // of the workflows that are under way
  view.executors_alive = 0;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const WorkflowRun& run = *runs_[i];
    view.workflows[i].state = state_of(run);
    if (!run.begun() || run.done()) continue;
    asked += run.executors();
    view.executors_alive += run.executors_left();
  }
  if (asked > 0) view.executors = asked;
  if (runs_.size() != 1) return;
  const WorkflowRun& only = *runs_.front();
  if (only.load().pacing == plan::Pacing::kOpen) view.asked_rate_per_s = only.target();
  if (only.load().pacing == plan::Pacing::kClosed) view.vus_target = static_cast<std::uint32_t>(only.target());
}

void LiveRun::show(std::span<const results::Verdict> verdicts) {
  std::vector<tui::ThresholdView>& shown = view_.facts().thresholds;
  shown.clear();
  for (const results::Verdict& verdict : verdicts) {
    shown.push_back({.text = redactor_(verdict.threshold),
                     .actual = verdict.measured ? redactor_(verdict.actual) : "",
                     .state = !verdict.measured ? tui::ThresholdState::kPending
                              : verdict.passed  ? tui::ThresholdState::kPassing
                                                : tui::ThresholdState::kFailing});
  }
}

void LiveRun::submit(const plan::LoadRequest& asked, Apply apply, ChangeAnswer answer) {
  world_->submit(asked, [box = box_, asked, apply = std::move(apply),
                         answer = std::move(answer)](const realtime::Receipt& receipt) {
    box->post([asked, apply, answer, receipt] {
      if (receipt.accepted()) return answer(apply(asked, receipt.tick));
      answer(fail(ErrorCode::kBusy, refusal_of(receipt)));
    });
  });
}

void LiveRun::settle(std::function<void()> done) {
  read_tallies();
  world_->after_a_tick([box = box_, done = std::move(done)] { box->post(done); });
}

}  // namespace hyperscale::node
