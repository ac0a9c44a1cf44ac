#include "node/local/live_run.h"

#include "live/live_json.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

// Limit of settle(): two ticks at the slowest rate of a world, and a margin.
constexpr Duration kTickPoll = 5ms;
constexpr int kTickPollsMax = 400;

live::RunState state_of(const RunPhase& phase, bool paused, MonoTime now) {
  if (phase.done) return live::RunState::kDone;
  if (!phase.started || !phase.counting()) return live::RunState::kStarting;
  if (phase.stopping) return live::RunState::kStopping;
  if (paused) return live::RunState::kPaused;
  return now < phase.counted_from ? live::RunState::kWarmUp : live::RunState::kRunning;
}

live::WorkflowState state_of(const WorkflowRun& run) {
  if (!run.begun()) return live::WorkflowState::kWaiting;
  if (!run.done()) return run.paused() ? live::WorkflowState::kPaused : live::WorkflowState::kRunning;
  return run.completed() ? live::WorkflowState::kDone : live::WorkflowState::kFailed;
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

LiveRun::LiveRun(asio::io_context& io, const WorkflowRuns& runs, std::unique_ptr<RunWorld> world, live::LiveView start,
                 const std::vector<live::LiveWorkflow>& workflows)
    : timer_(io), runs_(runs), world_(std::move(world)), view_(std::move(start), workflows) {}

LiveRun::~LiveRun() = default;

Result<std::unique_ptr<LiveRun>> LiveRun::make(asio::io_context& io, const WorkflowRuns& runs, live::LiveView start,
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
  auto world = RunWorld::make({.steps = steps, .tick_rate_hz = tick_rate_hz});
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

// One view per moment: all figures are computed when its tick is first observed, for the time at which it was read.
void LiveRun::take(const RunPhase& phase) {
  const std::uint64_t before = moment_.sequence;
  const auto read_at = world_->observe(moment_);
  if (!read_at || moment_.sequence == before) return;
  read_at_ = *read_at;
  for (std::uint64_t tick = before; tick < moment_.sequence; ++tick)
    backoff_.update(std::exchange(judged_, 0), std::exchange(stale_, 0));
  if (phase.counting()) {
    view_.take(moment_, phase.elapsed_at(read_at_));
  } else {
    view_.facts().tick = moment_.sequence;
  }
  view_.facts().thresholds = thresholds_;
  show_workflows(view_.facts());
}

const live::LiveView& LiveRun::look(const RunPhase& phase, MonoTime now) {
  take(phase);
  live::LiveView& view = view_.facts();
  view.state = state_of(phase, is_paused(runs_), now);
  view.planned = phase.planned;
  for (std::size_t i = 0; i < runs_.size(); ++i) view.workflows[i].state = state_of(*runs_[i]);
  return view;
}

const live::LiveView& LiveRun::look_now(const RunPhase& phase, MonoTime now) {
  world_->refresh();
  return look(phase, now);
}

live::LiveLine LiveRun::line(const RunPhase& phase, MonoTime now) {
  const live::LiveView& view = look(phase, now);
  return {.tick = view.tick, .json = live::live_json(view), .last = phase.done};
}

Status LiveRun::check_basis(std::optional<std::uint64_t> basis) {
  if (!basis) return {};
  if (*basis > tick()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the run has not reached tick {} yet; it is at {}", *basis, tick()));
  }
  ++judged_;
  if (tick() - *basis <= backoff_.max_skew()) return {};
  ++stale_;
  return fail(ErrorCode::kBusy,
              fmt::format("stale: the change rests on tick {}, and the run is at tick {}; look again", *basis, tick()));
}

void LiveRun::show_workflows(live::LiveView& view) const {
  std::uint32_t asked = 0;  // of the running workflows
  view.executors_alive = 0;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const WorkflowRun& run = *runs_[i];
    if (!run.begun() || run.done()) continue;
    asked += run.executors();
    view.executors_alive += run.executors_left();
  }
  if (asked > 0) view.executors = asked;
  if (runs_.size() != 1) return;
  const WorkflowRun& only = *runs_.front();
  if (only.load().pacing == plan::Pacing::kOpen) view.asked_rate_per_s = only.target(read_at_);
  if (only.load().pacing == plan::Pacing::kClosed) view.vus_target = static_cast<std::uint32_t>(only.target(read_at_));
}

void LiveRun::show(std::span<const results::Verdict> verdicts) {
  thresholds_.clear();
  for (const results::Verdict& verdict : verdicts) {
    thresholds_.push_back({.text = redactor_(verdict.threshold),
                           .actual = verdict.measured ? redactor_(verdict.actual) : "",
                           .state = !verdict.measured ? live::ThresholdState::kPending
                                    : verdict.passed  ? live::ThresholdState::kPassing
                                                      : live::ThresholdState::kFailing});
  }
}

// Waits for two ticks: the next one may have begun before this call, the one after it has not.
void LiveRun::settle(std::function<void()> done) {
  read_tallies();
  await_tick(world_->tick() + 2, kTickPollsMax, std::move(done));
}

void LiveRun::await_tick(std::uint64_t tick, int rounds, std::function<void()> done) {
  if (rounds == 0 || world_->has_reached(tick)) return done();
  timer_.expires_after(kTickPoll);
  timer_.async_wait([this, tick, rounds, done = std::move(done)](boost::system::error_code error) {
    if (!error) await_tick(tick, rounds - 1, done);
  });
}

}  // namespace hyperscale::node
