#include "jobs/share_machine.h"

#include "base/check.h"
#include "base/duration_text.h"
#include "results/run_result.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::jobs {
namespace {

using Phase = ShareMachine::Phase;

bool has_process(const ShareMachine::Executor& executor) {
  return executor.phase != Phase::kNew && executor.phase != Phase::kLaunching && executor.phase != Phase::kEnded;
}

bool listens(const ShareMachine::Executor& executor) {
  return executor.phase == Phase::kReady || executor.phase == Phase::kRunning;
}

}  // namespace

ShareMachine::ShareMachine(ShareSetup setup) : setup_(std::move(setup)), executors_(setup_.segments.size()) {
  CHECK(!executors_.empty(), "a share without a segment");
}

Actions<ShareMachine::Action> ShareMachine::step(const Event& event, MonoTime now) {
  Out out;
  if (done_) return out;
  std::visit([&](const auto& kind) { handle(kind, now, out); }, event);
  const bool ended = std::ranges::all_of(executors_, [](const Executor& e) { return e.phase == Phase::kEnded; });
  if (!ended) return out;
  done_ = true;
  ended_ = now;
  out.emplace_back(ShareDone{});
  return out;
}

ShareMachine::Executor& ShareMachine::at(std::uint32_t executor) {
  CHECK(executor < executors_.size(), "executor {} of {}", executor, executors_.size());
  return executors_[executor];
}

void ShareMachine::launch(std::uint32_t executor, Out& out) {
  Executor& it = at(executor);
  it.phase = Phase::kLaunching;
  it.killed = false;
  plan::Segment segment = setup_.segments[executor];
  segment.generation = it.deaths;
  out.emplace_back(LaunchExecutor{executor, segment});
}

void ShareMachine::handle(const LaunchShare&, MonoTime, Out& out) {
  for (std::uint32_t i = 0; i < executors_.size(); ++i) {
    CHECK(executors_[i].phase == Phase::kNew, "a share is launched twice");
    launch(i, out);
  }
}

void ShareMachine::handle(const Launched& event, MonoTime, Out& out) {
  Executor& it = at(event.executor);
  CHECK(it.phase == Phase::kLaunching, "executor {} was not asked for", event.executor);
  it.phase = Phase::kPreparing;
  if (!it.death.empty())
    report_death(event.executor, std::exchange(it.death, {}) + "; its share was started again", out);
  if (killing_ || late_) kill(event.executor, out);
}

void ShareMachine::handle(const LaunchFailed& event, MonoTime, Out& out) {
  Executor& it = at(event.executor);
  CHECK(it.phase == Phase::kLaunching, "executor {} was not asked for", event.executor);
  it.phase = Phase::kEnded;
  if (!it.death.empty()) {
    const std::string death = std::exchange(it.death, {});
    return lose(event.executor, fmt::format("{}; the rest of its share is lost ({})", death, event.error.context), out);
  }
  unlaunched_ = true;
  it.lost = true;
  it.message = event.error.context;
  out.emplace_back(ShareUnlaunched{event.error});
}

void ShareMachine::handle(const ExecutorReady& event, MonoTime, Out& out) {
  Executor& it = at(event.executor);
  if (it.phase != Phase::kPreparing) return;  // a repeated report is ignored
  it.phase = Phase::kReady;
  if (stopping_) {
    if (!it.killed) out.emplace_back(StopExecutor{event.executor});
    return;
  }
  if (started_) {
    start(event.executor, out);
    for (const plan::LoadChange& change : changes_) out.emplace_back(ChangeExecutor{event.executor, change});
    return;
  }
  const bool all = std::ranges::all_of(
      executors_, [](const Executor& e) { return e.phase == Phase::kReady || e.phase == Phase::kEnded; });
  if (ready_ || !all) return;
  ready_ = true;
  out.emplace_back(ShareReady{});
}

// Does not count as a death: a successor would refuse as well.
void ShareMachine::handle(const ExecutorRefused& event, MonoTime, Out& out) {
  Executor& it = at(event.executor);
  if (!has_process(it) || it.phase == Phase::kFinished) return;
  it.phase = Phase::kFinished;
  it.lost = true;
  it.message = event.why;
  out.emplace_back(LoseExecutor{event.executor});
  out.emplace_back(ShareRefused{event.why});
}

void ShareMachine::handle(const ExecutorFinished& event, MonoTime, Out&) {
  Executor& it = at(event.executor);
  if (!has_process(it) || it.phase == Phase::kFinished) return;
  it.phase = Phase::kFinished;
  it.values = event.values;
  it.failure = event.failure;
}

void ShareMachine::handle(const ExecutorGone& event, MonoTime now, Out& out) {
  Executor& it = at(event.executor);
  if (!has_process(it)) return;
  if (it.phase == Phase::kFinished) {
    it.phase = Phase::kEnded;
  } else if (killing_) {
    it.phase = Phase::kEnded;
    it.lost_iterations += event.users_busy;
    it.message = fmt::format("stopped{} with requests in flight", when(now));
  } else {
    died(event.executor, event, now, out);
  }
}

void ShareMachine::died(std::uint32_t executor, const ExecutorGone& gone, MonoTime now, Out& out) {
  Executor& it = at(executor);
  ++it.deaths;
  it.lost_iterations += gone.users_busy;
  it.arrivals = std::max(it.arrivals, gone.arrivals);
  it.rounds = std::max(it.rounds, gone.rounds);
  const std::string seen = std::exchange(it.killed_for, {});
  std::string sentence = (seen.empty() ? gone.how : "killed, " + seen) + when(now);
  if (gone.users_busy > 0)
    sentence += fmt::format(" with {} {} busy, whose requests in flight are not counted", gone.users_busy,
                            gone.users_busy == 1 ? "user" : "users");
  if (it.deaths <= setup_.restarts_max && !stopping_) {
    it.death = std::move(sentence);  // reported once the launch of a successor has succeeded or failed
    return launch(executor, out);
  }
  it.phase = Phase::kEnded;
  lose(executor, sentence + "; the rest of its share is lost", out);
}

void ShareMachine::lose(std::uint32_t executor, const std::string& sentence, Out& out) {
  at(executor).lost = true;
  out.emplace_back(LoseExecutor{executor});
  report_death(executor, sentence, out);
}

void ShareMachine::report_death(std::uint32_t executor, const std::string& sentence, Out& out) {
  std::string& message = at(executor).message;
  message = message.empty() ? sentence : fmt::format("{}, then {}", message, sentence);
  out.emplace_back(ExecutorDied{executor, sentence});
}

// " after 3.2 s", once the share has begun.
std::string ShareMachine::when(MonoTime now) const {
  if (!started_) return " before the start";
  const Duration ran = std::max(now - times_.start(), Duration::zero());
  return fmt::format(" after {:.1f} s", seconds(ran));
}

void ShareMachine::handle(const StartShare& event, MonoTime, Out& out) {
  CHECK(ready_ && !started_, "ready {} started {}", ready_, started_);
  started_ = true;
  start_values_ = event.values;
  plan::Load load = setup_.load;
  if (setup_.part != plan::ScriptPart::kSteps) load.warmup = load.duration = Duration::zero();
  times_.start(event.at, load);
  // An executor that died meanwhile starts when its successor is ready.
  for (std::uint32_t i = 0; i < executors_.size(); ++i)
    if (executors_[i].phase == Phase::kReady) start(i, out);
}

void ShareMachine::start(std::uint32_t executor, Out& out) {
  Executor& it = at(executor);
  it.phase = Phase::kRunning;
  out.emplace_back(StartExecutor{executor, times_.start(), it.arrivals, it.rounds, start_values_});
}

Status ShareMachine::can_change(const plan::LoadCommand& command) const {
  const auto refuse = [](std::string why) { return fail(ErrorCode::kInvalidArgument, std::move(why)); };
  if (!started_) return refuse("it has not begun yet");
  if (done_) return refuse("it has ended");
  if (stopping_) return refuse("it is stopping");
  const bool open = setup_.load.pacing == plan::Pacing::kOpen;
  switch (command.kind) {
    case plan::LoadChangeKind::kUsers:
      return open && command.value < 1 ? Status(refuse("vus: a rate needs at least 1 user")) : Status();
    case plan::LoadChangeKind::kRate:
      return open ? Status() : Status(refuse("rate: it runs users in a closed loop and has no rate; change vus"));
    case plan::LoadChangeKind::kPause:
      return times_.paused() ? Status(refuse("it is paused already")) : Status();
    case plan::LoadChangeKind::kResume:
      return times_.paused() ? Status() : Status(refuse("it is not paused"));
  }
  return {};
}

void ShareMachine::handle(const ChangeLoad& event, MonoTime, Out& out) {
  CHECK(can_change(event.command), "a change that cannot be done");
  CHECK(changes_.size() <= results::kChangesMax, "{} changes", changes_.size());
  // Changes are ordered in time, even if the sender's elapsed times are not.
  MonoTime at = times_.start() + event.elapsed;
  if (!changes_.empty()) at = std::max(at, changes_.back().at);
  if (event.command.kind == plan::LoadChangeKind::kPause) times_.pause(at);
  if (event.command.kind == plan::LoadChangeKind::kResume) times_.resume(at);
  changes_.push_back({event.command.kind, event.command.value, at});
  for (std::uint32_t i = 0; i < executors_.size(); ++i)
    if (executors_[i].phase == Phase::kRunning) out.emplace_back(ChangeExecutor{i, changes_.back()});
}

void ShareMachine::handle(const Stop&, MonoTime now, Out& out) {
  if (std::exchange(stopping_, true)) return;
  if (started_ && setup_.part == plan::ScriptPart::kSteps) times_.stop(now, setup_.load.graceful_stop);
  for (std::uint32_t i = 0; i < executors_.size(); ++i)
    if (listens(executors_[i]) && !executors_[i].killed) out.emplace_back(StopExecutor{i});
}

void ShareMachine::handle(const Kill&, MonoTime, Out& out) {
  killing_ = stopping_ = true;
  times_.release();
  kill_all(out);
}

void ShareMachine::kill_all(Out& out) {
  for (std::uint32_t i = 0; i < executors_.size(); ++i) {
    if (executors_[i].phase == Phase::kNew) executors_[i].phase = Phase::kEnded;
    kill(i, out);
  }
}

// An executor that is still launching is killed by the Launched handler.
void ShareMachine::kill(std::uint32_t executor, Out& out) {
  Executor& it = at(executor);
  if (!has_process(it) || std::exchange(it.killed, true)) return;
  out.emplace_back(KillExecutor{executor});
}

void ShareMachine::handle(const StandStill& event, MonoTime now, Out&) {
  awake_from_ = now + kWakeUpPatience;
  times_.stand_still(event.time);
}

void ShareMachine::handle(const LookAfter& event, MonoTime now, Out& out) {
  if (now >= times_.deadline()) {
    times_.release();
    late_ = stopping_ = true;
    out.emplace_back(ShareLate{});
    kill_all(out);
  }
  if (now < awake_from_) return;
  for (const Sight& sight : event.sights) judge(sight, now, out);
}

void ShareMachine::judge(const Sight& sight, MonoTime now, Out& out) {
  Executor& it = at(sight.executor);
  if (!has_process(it) || it.killed) return;
  if (sight.was_cut) {
    // Its samples are lost with the file, so a successor could not complete the share.
    it.deaths = setup_.restarts_max;
    it.killed_for = "the file of its stream was cut short by another process";
  } else if (setup_.scripted && started_ && it.phase != Phase::kFinished) {
    it.killed_for = broken_limit(sight, setup_.limits, times_.start(), now);
  }
  if (!it.killed_for.empty()) kill(sight.executor, out);
}

std::vector<std::uint32_t> ShareMachine::lost() const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < executors_.size(); ++i)
    if (executors_[i].lost) out.push_back(i);
  return out;
}

std::uint64_t ShareMachine::users_left_of(std::uint64_t total) const {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < executors_.size(); ++i)
    if (!executors_[i].lost) sum += plan::users_of(total, setup_.segments[i]);
  return sum;
}

std::vector<plan::SharedValue> ShareMachine::values() const {
  std::vector<plan::SharedValue> out;
  for (const Executor& executor : executors_) {
    for (const plan::SharedValue& value : executor.values) {
      const bool known = std::ranges::find(out, value.key, &plan::SharedValue::key) != out.end();
      if (!known) out.push_back(value);
    }
  }
  return out;
}

std::string ShareMachine::failure() const {
  for (const Executor& executor : executors_) {
    if (!executor.failure.empty()) return executor.failure;
    if (executor.lost) return executor.message;
  }
  return {};
}

}  // namespace hyperscale::jobs
