#include "random_run.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::jobs {
namespace {

constexpr MonoTime kZero = MonoTime::from_ns(1'000'000'000'000);
constexpr std::size_t kStoryMax = 60;
constexpr std::size_t kStepsToEnd = 20'000;
// From a deadline to the tick that notices it.
constexpr Duration kTickSlack = kPlainTick + kBeatInterval;

}  // namespace

RandomRun::RandomRun(std::vector<std::uint32_t> tape)
    : tape_(std::move(tape)), now_(kZero), beat_(kZero), looked_(kZero) {
  make_job();
  auto setup = setup_of(job_, 1 + take(4));
  CHECK(setup, "{}", setup.error().context);
  if (take(4) == 0) setup->time_limit = std::chrono::seconds(1 + take(30));
  if (take(4) == 0) setup->thresholds = {{*results::Threshold::parse("errors<1%"), true}};
  steps_.resize(setup->workflows.size());
  machine_ = std::make_unique<JobMachine>(std::move(*setup), now_);
}

std::uint32_t RandomRun::take(std::uint32_t below) {
  return position_ < tape_.size() ? tape_[position_++] % below : 0;
}

void RandomRun::make_job() {
  const std::uint32_t count = 1 + take(3);
  for (std::uint32_t i = 0; i < count; ++i) {
    plan::Workflow workflow;
    plan::Plan& plan = workflow.plan;
    plan.name = fmt::format("W{}", i);
    plan.steps.push_back({.name = "step", .requests = {}, .expect = {}});
    plan.load.vus = 1 + take(6);
    if (take(3) > 0) plan.load.duration = std::chrono::seconds(1 + take(20));
    if (plan.load.duration == Duration::zero()) plan.load.iterations = 1 + take(100);
    if (take(3) == 0) plan.load.warmup = std::chrono::seconds(1 + take(5));
    if (take(3) == 0) plan.load.pacing = plan::Pacing::kOpen;
    plan.load.rate_per_s = 5;
    plan.load.graceful_stop = std::chrono::seconds(take(4));
    if (take(4) == 0) workflow.start_offset = std::chrono::seconds(take(4));
    if (take(4) == 0) workflow.priority = plan::Priority::kExclusive;
    if (i > 0 && take(3) == 0) workflow.depends = {fmt::format("W{}", take(i))};
    if (take(3) == 0) {
      plan.script.entry = "shop.js";
      plan.script.has_setup = take(2) == 0;
      plan.script.has_teardown = take(2) == 0;
    }
    job_.workflows.push_back(std::move(workflow));
  }
}

void RandomRun::run() {
  step(LaunchJob{});
  while (position_ < tape_.size() && !machine_->over()) play();
  for (std::size_t i = 0; !machine_->over(); ++i) {
    if (i == kStepsToEnd) return rule(false, "the run does not end");
    bool acted = false;
    for (Process* process : with(false)) answer_launch(*process, false);
    for (Process* process : with(true)) {
      const bool waits = process->ready && !process->started && !process->killed && !process->stopped;
      if (waits) continue;
      process_acts(*process, true);
      acted = true;
      if (machine_->over()) break;
    }
    if (!acted && !machine_->over()) next_timer();
  }
}

void RandomRun::play() {
  const std::uint32_t what = take(100);
  const auto waiting = with(false), alive = with(true);
  if (what < 20 && !waiting.empty())
    return answer_launch(*waiting[take(static_cast<std::uint32_t>(waiting.size()))], take(16) == 0);
  if (what < 50 && !alive.empty()) return process_acts(*alive[take(static_cast<std::uint32_t>(alive.size()))], false);
  if (what < 78) return next_timer();
  if (what < 81) return void(now_ += std::chrono::milliseconds(take(5'000)));
  if (what < 83) return look(), step(Continued{});
  if (what < 85) return step(ScriptLogged{0, "a line"});
  if (what < 89 && !alive.empty()) {
    Sight& sight = alive[take(static_cast<std::uint32_t>(alive.size()))]->sight;
    sight.alive = now_;
    sight.was_cut = take(6) == 0;
    sight.resident_bytes = take(6) == 0 ? std::uint64_t{3} << 30 : 0;
    return;
  }
  person_acts();
}

void RandomRun::person_acts() {
  static constexpr plan::LoadChangeKind kKinds[] = {plan::LoadChangeKind::kUsers, plan::LoadChangeKind::kRate,
                                                    plan::LoadChangeKind::kPause, plan::LoadChangeKind::kResume};
  const std::uint32_t what = take(40);
  const std::string name = take(2) == 0 ? "" : fmt::format("W{}", take(3));
  const std::uint32_t before = answers_;
  if (what == 0) {
    step(Signal{take(2) == 0, 0});
  } else if (what < 2) {
    step(StopAsked{"", "asked"});
    rule(answers_ == before + 1, "a stop is not answered once");
  } else if (what < 4 && !name.empty()) {
    step(StopAsked{name, "asked"});
    rule(answers_ == before + 1, "a stop is not answered once");
  } else {
    step(ChangeAsked{{{kKinds[take(4)], static_cast<double>(take(30))}, name, std::nullopt}});
    rule(answers_ == before + 1, "a change is not answered once");
  }
}

// What a process does next: at random, or on the way to its end.
void RandomRun::process_acts(Process& process, bool in_order) {
  const std::uint32_t what = in_order ? 0 : take(16);
  if (process.killed || process.finished || what == 15) return end_process(process);
  if (!process.ready) {
    if (what == 14) {
      process.finished = true;
      return step(ShareEvent{process.share, ExecutorRefused{process.executor, "no"}});
    }
    process.ready = true;
    return step(ShareEvent{process.share, ExecutorReady{process.executor}});
  }
  if (!process.started && !process.stopped) return;
  process.arrivals += what;
  if (!in_order && what < 12) return;
  process.finished = true;
  step(ShareEvent{process.share, ExecutorFinished{process.executor, {}, what == 13 ? "failed" : ""}});
}

void RandomRun::end_process(Process& process) {
  process.gone = true;
  step(ShareEvent{process.share, ExecutorGone{.executor = process.executor,
                                              .how = "killed by signal 9",
                                              .users_busy = 1,
                                              .arrivals = process.arrivals,
                                              .rounds = 0}});
}

void RandomRun::answer_launch(Process& process, bool fails) {
  process.launched = true;
  process.gone = fails;
  if (fails) {
    step(ShareEvent{process.share, LaunchFailed{process.executor, {ErrorCode::kBusy, "no memory"}}});
  } else {
    step(ShareEvent{process.share, Launched{process.executor}});
  }
}

// Time goes on to the next timer, which happens at once, and late ones now.
void RandomRun::next_timer() {
  now_ = std::max(now_, std::min(tick_, beat_));
  look();
  if (beat_ <= tick_) {
    beat_ = now_ + kBeatInterval;
    return step(Beat{});
  }
  tick_ = MonoTime::max();
  Tick tick;
  for (const auto& process : processes_)
    if (process->alive()) tick.sights.push_back({process->share, process->sight});
  step(tick);
  for (std::size_t i = 0; i < steps_.size() && !machine_->over(); ++i) check_deadline(i);
}

// The machine is about to notice a standstill, if there was one.
void RandomRun::look() {
  const Duration gap = now_ - std::exchange(looked_, now_);
  if (gap < kStandstillMin) return;
  for (Steps& steps : steps_) {
    if (steps.start == MonoTime::max()) continue;
    steps.stood_still += gap;
    if (steps.stop_at != MonoTime::max()) steps.stood_still_since_stop += gap;
  }
}

void RandomRun::step(const JobMachine::Event& event) {
  const bool was_over = machine_->over();
  const bool is_timer = std::holds_alternative<Beat>(event) || std::holds_alternative<Tick>(event);
  const double at_s = static_cast<double>((now_ - kZero).count()) / 1e9;
  if (!is_timer) story_.push_back(fmt::format("{:.3f} event {}", at_s, event.index()));
  const auto actions = machine_->step(event, now_);
  for (const JobMachine::Action& action : actions) {
    rule(!was_over || std::holds_alternative<Answer>(action), "an action after the end");
    std::visit([this](const auto& each) { carry_out(each); }, action);
  }
  check_state();
}

void RandomRun::carry_out(const TickAt& tick) {
  rule(tick.at > now_, "a tick that is due already");
  tick_ = tick.at;
}

void RandomRun::carry_out(const Judge& judge) {
  rule(machine_->counting(now_) && judge.at >= Duration::zero(), "judged before anything counts");
}

void RandomRun::carry_out(const JobOver&) {
  ++overs_;
  for (const auto& process : processes_) rule(process->launched && process->gone, "over with a process that runs");
}

void RandomRun::carry_out(const ToExecutor& to) {
  story_.push_back(
      fmt::format("  W#{} part {} command {}", to.share.workflow, static_cast<int>(to.share.part), to.command.index()));
  std::visit([&](const auto& each) { command(to.share, each); }, to.command);
}

RandomRun::Process* RandomRun::running(const ShareId& share, std::uint32_t executor) {
  for (const auto& process : processes_)
    if (process->share == share && process->executor == executor && process->alive()) return process.get();
  return nullptr;
}

void RandomRun::command(const ShareId& share, const LaunchExecutor& launch) {
  std::uint32_t before = 0;
  for (const auto& process : processes_) {
    if (process->share != share || process->executor != launch.executor) continue;
    rule(process->launched && process->gone, "two processes of one segment");
    rule(!process->finished, "a segment that finished is run again");
    ++before;
  }
  const std::uint32_t launches_max = share.part == plan::ScriptPart::kSteps ? 1 + kRestartsMax : 1;
  rule(before < launches_max, "launched too often");
  rule(launch.segment.generation == before, "a wrong generation");
  rule(lost_[{share, launch.executor}] == 0, "launched after a loss");
  // A stop in the setup reaches the executors that wait for it when it is over; a teardown comes after a stop.
  const SequenceMachine& workflow = machine_->workflow(share.workflow);
  const bool is_ending = workflow.begun() && workflow.stopped() && share.part == plan::ScriptPart::kSteps;
  rule(!is_ending && !machine_->aborted() && !machine_->failure(), "launched after a stop or a kill");
  processes_.push_back(std::make_unique<Process>());
  processes_.back()->share = share;
  processes_.back()->executor = launch.executor;
  processes_.back()->sight.executor = launch.executor;
  processes_.back()->sight.alive = now_;
}

void RandomRun::command(const ShareId& share, const StartExecutor& start) {
  Process* process = running(share, start.executor);
  if (process == nullptr || !process->ready || process->started || process->killed || process->finished)
    return rule(false, "started what cannot start");
  process->started = true;
  std::uint64_t taken = 0;
  for (const auto& other : processes_)
    if (other->share == share && other->executor == start.executor && other->gone)
      taken = std::max(taken, other->arrivals);
  rule(start.first_arrival == taken, "arrivals are run twice or left out");
  if (share.part != plan::ScriptPart::kSteps) return;
  MonoTime& common = steps_[share.workflow].start;
  rule(common == MonoTime::max() || common == start.at, "executors of a share start at different times");
  common = start.at;
}

void RandomRun::command(const ShareId& share, const ChangeExecutor& change) {
  Process* process = running(share, change.executor);
  if (process == nullptr || !process->started || process->finished) return rule(false, "changed what does not run");
  rule(process->changes.empty() || process->changes.back().at <= change.change.at, "changes out of order");
  process->changes.push_back(change.change);
}

void RandomRun::command(const ShareId& share, const StopExecutor& stop) {
  Process* process = running(share, stop.executor);
  if (process == nullptr || !process->ready || process->killed) return rule(false, "stopped what cannot stop");
  rule(!std::exchange(process->stopped, true), "stopped twice");
}

void RandomRun::command(const ShareId& share, const KillExecutor& kill) {
  Process* process = running(share, kill.executor);
  if (process == nullptr) return rule(false, "killed what does not run");
  rule(!std::exchange(process->killed, true), "killed twice");
}

void RandomRun::command(const ShareId& share, const LoseExecutor& lose) {
  rule(++lost_[{share, lose.executor}] == 1, "lost twice");
}

std::vector<RandomRun::Process*> RandomRun::with(bool launched) {
  std::vector<Process*> found;
  for (const auto& process : processes_)
    if (launched ? process->alive() : !process->launched) found.push_back(process.get());
  return found;
}

void RandomRun::check_state() {
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const SequenceMachine& workflow = machine_->workflow(i);
    Steps& steps = steps_[i];
    if (workflow.paused() && !steps.paused) steps.paused_since = now_;
    if (!workflow.paused() && steps.paused) steps.paused_for += now_ - steps.paused_since;
    steps.paused = workflow.paused();
    if (workflow.stopped() && workflow.begun() && !workflow.steps().done())
      steps.stop_at = std::min(steps.stop_at, now_);
    const auto& executors = workflow.steps().executors();
    for (std::uint32_t e = 0; e < executors.size(); ++e) {
      const bool told = lost_.contains({{.workflow = i}, e}) && lost_[{{.workflow = i}, e}] > 0;
      const bool unlaunched = workflow.steps().unlaunched();
      rule(executors[e].lost == told || unlaunched, "a loss is not what was told");
    }
    // Whoever died and was replaced knows what the others know.
    const Process* longest = nullptr;
    for (const auto& process : processes_)
      if (process->share == ShareId{.workflow = i} &&
          (longest == nullptr || process->changes.size() > longest->changes.size()))
        longest = process.get();
    for (const auto& process : processes_) {
      if (process->share != ShareId{.workflow = i}) continue;
      rule(std::equal(process->changes.begin(), process->changes.end(), longest->changes.begin()),
           "executors know different changes");
      const bool runs = process->alive() && process->started && !process->finished;
      rule(!runs || process->changes.size() == longest->changes.size(), "a change is missing");
      if (workflow.stopped() && runs) rule(process->stopped || process->killed, "a stop did not reach an executor");
    }
  }
  if (!machine_->aborted() && !machine_->failure()) return;
  for (const auto& process : processes_)
    rule(!process->alive() || process->killed || process->finished, "a kill did not reach an executor");
}

// Nothing runs on behind its deadline.
void RandomRun::check_deadline(std::size_t workflow) {
  const Steps& steps = steps_[workflow];
  const plan::Load& load = machine_->workflow(workflow).load();
  MonoTime deadline = MonoTime::max();
  if (steps.stop_at != MonoTime::max()) {
    deadline = steps.stop_at + load.graceful_stop + kEndPatience + steps.stood_still_since_stop;
  } else if (steps.start != MonoTime::max() && load.duration > Duration::zero() && !steps.paused) {
    deadline = steps.start + load.warmup + load.duration + load.graceful_stop + kEndPatience + steps.paused_for +
               steps.stood_still;
  }
  for (const auto& process : processes_) {
    if (process->share != ShareId{.workflow = workflow} || !process->alive()) continue;
    if (deadline != MonoTime::max() && now_ > deadline + kTickSlack)
      rule(process->killed, "an executor outlives its deadline");
  }
}

void RandomRun::rule(bool holds, const std::string& what) {
  if (!holds && std::ranges::find(broken_, what) == broken_.end()) broken_.push_back(what);
}

void RandomRun::disturb() {
  const auto& executors = machine_->workflow(0).steps().executors();
  std::vector<std::string> before;
  for (const auto& executor : executors) before.push_back(executor.message);
  now_ += 1s;
  step(Tick{});
  step(Beat{});
  step(Signal{});
  step(Signal{});
  step(ShareEvent{{}, ExecutorGone{.executor = 0, .how = "late"}});
  step(ShareEvent{{}, ExecutorReady{0}});
  person_acts();
  for (std::size_t i = 0; i < executors.size(); ++i) {
    rule(executors[i].phase == ShareMachine::Phase::kEnded, "a segment that lives again");
    rule(executors[i].message == before[i], "a terminal state changed");
  }
}

std::string RandomRun::story() const {
  std::string text;
  for (std::size_t i = story_.size() > kStoryMax ? story_.size() - kStoryMax : 0; i < story_.size(); ++i)
    text += story_[i] + "\n";
  return text;
}

}  // namespace hyperscale::jobs
