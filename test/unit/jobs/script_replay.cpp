#include "script_replay.h"

#include "base/check.h"
#include "base/duration_text.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::jobs {
namespace {

constexpr MonoTime kZero = MonoTime::from_ns(1'000'000'000'000);
// A run that has not ended so long after the last event of its script will not end.
constexpr Duration kPatience = 1h;

std::string text_of_change(const plan::LoadChange& change) {
  const char* kind = change.kind == plan::LoadChangeKind::kUsers   ? "users"
                     : change.kind == plan::LoadChangeKind::kRate  ? "rate"
                     : change.kind == plan::LoadChangeKind::kPause ? "pause"
                                                                   : "resume";
  return fmt::format("{} {} at {}", kind, change.value, ms_text(change.at - kZero));
}

std::string text_of(results::ExecutorEnd end) {
  return end == results::ExecutorEnd::kLost        ? "lost"
         : end == results::ExecutorEnd::kRestarted ? "restarted"
                                                   : "finished";
}

}  // namespace

ScriptReplay::ScriptReplay(const RunScript& script)
    : script_(script), job_{.name = script.name, .workflows = script.workflows}, now_(kZero), beat_(kZero) {
  auto setup = setup_of(job_, script.pool);
  CHECK(setup, "{}", setup.error().context);
  setup_ = std::move(*setup);
  setup_.time_limit = script.limit;
  if (!script.threshold.empty()) setup_.thresholds = {{*results::Threshold::parse(script.threshold), true}};
  machine_ = std::make_unique<JobMachine>(setup_, now_);
}

// As the loop of a real run: due timers come before events of the same time, and nothing waits while there is work.
std::vector<std::string> ScriptReplay::run() {
  step(LaunchJob{});
  drain();
  std::size_t next = 0;
  const MonoTime last = kZero + script_.events.back().at + kPatience;
  while (!machine_->over()) {
    const MonoTime timer = std::min(tick_, beat_);
    const MonoTime event = next < script_.events.size() ? kZero + script_.events[next].at : last;
    now_ = std::max(now_, std::min(timer, event));
    if (timer > std::max(event, now_)) {
      CHECK(next < script_.events.size(), "script {}: the run has not ended", script_.name);
      happen(script_.events[next++]);
    } else if (beat_ <= tick_) {
      beat_ = now_ + kBeatInterval;
      step(Beat{});
    } else {
      tick_ = MonoTime::max();
      step(tick());
    }
    drain();
  }
  write_end();
  return lines_;
}

void ScriptReplay::step(const JobMachine::Event& event) {
  for (const JobMachine::Action& action : machine_->step(event, now_))
    std::visit([this](const auto& each) { carry_out(each); }, action);
  while (!at_once_.empty()) {
    const JobMachine::Event next = std::move(at_once_.front());
    at_once_.pop_front();
    step(next);
  }
}

void ScriptReplay::drain() {
  while (!posted_.empty()) {
    const JobMachine::Event next = std::move(posted_.front());
    posted_.pop_front();
    step(next);
  }
}

void ScriptReplay::line(const std::string& what) {
  lines_.push_back(fmt::format("{} {}", ms_text(now_ - kZero), what));
}

ScriptTarget ScriptReplay::target_of(const ShareId& share, std::uint32_t executor) const {
  return {.workflow = machine_->workflow(share.workflow).name(), .part = share.part, .executor = executor};
}

ScriptReplay::Process* ScriptReplay::current(const ShareId& share, std::uint32_t executor) {
  for (auto found = processes_.rbegin(); found != processes_.rend(); ++found)
    if ((*found)->share == share && (*found)->executor == executor && !(*found)->gone) return found->get();
  return nullptr;
}

ScriptReplay::Process& ScriptReplay::running(const ScriptTarget& target) {
  for (const auto& process : processes_)
    if (!process->gone && target_of(process->share, process->executor) == target) return *process;
  CHECK(false, "{} does not run", jobs::text_of(target));
}

void ScriptReplay::carry_out(const ToExecutor& to) {
  std::visit([&](const auto& each) { command(to.share, each); }, to.command);
}

void ScriptReplay::carry_out(const Judge& judge) {
  const auto so_far = outcome_of(*machine_, recorded(), now_);
  CHECK(so_far, "{}", so_far.error().context);
  Judged judged{.at = judge.at, .verdicts = {}};
  for (const results::RunThreshold& each : setup_.thresholds) judged.verdicts.push_back(each.threshold.judge(*so_far));
  at_once_.emplace_back(std::move(judged));
}

void ScriptReplay::carry_out(const Answer& answer) {
  line(answer.result ? "answer: yes" : "answer: " + answer.result.error().context);
}

void ScriptReplay::command(const ShareId& share, const LaunchExecutor& launch) {
  if (!next_launch_fails_.empty()) {
    const Error error{ErrorCode::kBusy, std::exchange(next_launch_fails_, {})};
    at_once_.emplace_back(ShareEvent{share, LaunchFailed{launch.executor, error}});
    return;
  }
  processes_.push_back(std::make_unique<Process>());
  processes_.back()->share = share;
  processes_.back()->executor = launch.executor;
  line(fmt::format("{} launch generation {}", jobs::text_of(target_of(share, launch.executor)),
                   launch.segment.generation));
  at_once_.emplace_back(ShareEvent{share, Launched{launch.executor}});
}

void ScriptReplay::command(const ShareId& share, const StartExecutor& start) {
  current(share, start.executor)->start = start.at;
  line(fmt::format("{} start at {} arrival {} round {}{}", jobs::text_of(target_of(share, start.executor)),
                   ms_text(start.at - kZero), start.first_arrival, start.first_round, jobs::text_of(start.values)));
}

void ScriptReplay::command(const ShareId& share, const ChangeExecutor& change) {
  line(fmt::format("{} change {}", jobs::text_of(target_of(share, change.executor)), text_of_change(change.change)));
}

void ScriptReplay::command(const ShareId& share, const StopExecutor& stop) {
  line(jobs::text_of(target_of(share, stop.executor)) + " stop");
}

void ScriptReplay::command(const ShareId& share, const KillExecutor& kill) {
  Process* process = current(share, kill.executor);
  if (process == nullptr) return;  // it has ended, and the machine does not know yet
  line(jobs::text_of(target_of(share, kill.executor)) + " kill");
  end(*process, "killed by signal 9");
}

void ScriptReplay::happen(const ScriptEvent& event) {
  if (event.verb == "ready" && event.target.empty()) {
    for (const auto& process : processes_)
      if (!process->gone && !std::exchange(process->ready, true)) say(*process, ExecutorReady{process->executor});
  } else if (event.verb == "ready") {
    Process& process = running(jobs::target_of(event));
    process.ready = true;
    say(process, ExecutorReady{process.executor});
  } else if (event.verb == "refuse") {
    Process& process = running(jobs::target_of(event));
    say(process, ExecutorRefused{process.executor, event.rest});
    end(process, "ended with status 1");
  } else if (event.verb == "finish") {
    finish(running(jobs::target_of(event)), event);
  } else if (event.verb == "die") {
    end(running(jobs::target_of(event)), "killed by signal 9");
  } else if (event.verb == "progress") {
    progress(running(jobs::target_of(event)), event);
  } else if (event.verb == "log") {
    posted_.emplace_back(ScriptLogged{running(jobs::target_of(event)).share.workflow, event.rest});
  } else if (event.verb == "cut") {
    running(jobs::target_of(event)).cut = true;
  } else if (event.verb == "launch_fails") {
    next_launch_fails_ = event.target;
  } else if (event.verb == "stand_still" || event.verb == "suspend") {
    now_ += *parse_duration(event.target);
    if (event.verb == "suspend") posted_.emplace_back(Continued{});
  } else if (event.verb == "signal") {
    posted_.emplace_back(Signal{event.target == "hup", in_flight()});
  } else if (event.verb == "ctl" && event.target == "stop") {
    posted_.emplace_back(StopAsked{event.rest, "asked by hyperscale ctl"});
  } else if (event.verb == "ctl") {
    posted_.emplace_back(ChangeAsked{{*plan::read_load_command(event.target), event.rest, std::nullopt}});
  } else {
    CHECK(false, "unknown event {}", event.verb);
  }
}

void ScriptReplay::progress(Process& process, const ScriptEvent& event) {
  for (const auto& [key, value] : event.fields) {
    if (key == "arrivals") process.arrivals = std::stoull(value);
    if (key == "rounds") process.rounds = std::stoull(value);
    if (key == "busy") process.busy = static_cast<std::uint32_t>(std::stoul(value));
    if (key == "alive") process.alive = now_;
    if (key == "memory") process.memory = std::stoull(value);
    if (key == "errors" || key == "answers") {
      (key == "errors" ? process.errors : process.answers) += std::stoull(value);
      if (process.first_start == MonoTime()) process.first_start = std::min(process.start, now_);
      process.last_end = now_;
    }
  }
}

void ScriptReplay::finish(Process& process, const ScriptEvent& event) {
  ExecutorFinished finished{.executor = process.executor, .values = {}, .failure = {}};
  const bool setup = process.share.part == plan::ScriptPart::kSetup;
  for (const auto& [key, value] : event.fields) {
    if (key == "fails") {
      finished.failure = value;
    } else {
      const std::string source = setup ? "" : machine_->workflow(process.share.workflow).name();
      finished.values.push_back({.source = source, .key = key, .json = value});
    }
  }
  process.busy = 0;
  say(process, finished);
  end(process, "ended with status 0");
}

void ScriptReplay::say(const Process& process, ShareMachine::Event event) {
  posted_.emplace_back(ShareEvent{process.share, std::move(event)});
}

void ScriptReplay::end(Process& process, const std::string& how) {
  process.gone = true;
  say(process, ExecutorGone{.executor = process.executor,
                            .how = how,
                            .users_busy = process.busy,
                            .arrivals = process.arrivals,
                            .rounds = process.rounds});
}

Tick ScriptReplay::tick() const {
  Tick tick;
  for (const auto& process : processes_) {
    if (process->gone) continue;
    tick.sights.push_back({process->share,
                           {.executor = process->executor,
                            .alive = process->alive,
                            .resident_bytes = process->memory,
                            .was_cut = process->cut}});
  }
  return tick;
}

std::uint64_t ScriptReplay::in_flight() const {
  std::uint64_t sum = 0;
  for (const auto& process : processes_)
    if (!process->gone && process->share.part == plan::ScriptPart::kSteps) sum += process->busy;
  return sum;
}

std::vector<RecordedShare> ScriptReplay::recorded() const {
  std::vector<RecordedShare> shares(machine_->workflows().size());
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i].executors.resize(machine_->workflow(i).setup().segments.size());
    results::StepResult& step = shares[i].figures.steps.emplace_back();
    step.name = "step";
    for (const auto& process : processes_) {
      if (process->share != ShareId{.workflow = i}) continue;
      step.counts.outcomes[static_cast<std::size_t>(results::Outcome::kOk)] += process->answers;
      step.counts.outcomes[static_cast<std::size_t>(results::Outcome::kRefused)] += process->errors;
      if (process->first_start == MonoTime()) continue;
      MonoTime& first = shares[i].first_start;
      first = first == MonoTime() ? process->first_start : std::min(first, process->first_start);
      shares[i].last_end = std::max(shares[i].last_end, process->last_end);
    }
  }
  return shares;
}

void ScriptReplay::write_end() {
  if (machine_->failure()) return lines_.push_back("failed: " + machine_->failure()->context);
  const auto outcome = outcome_of(*machine_, recorded(), now_);
  CHECK(outcome, "{}", outcome.error().context);
  const auto& stopped_by = machine_->stopped_by();
  lines_.push_back(fmt::format("end{}{}{}{}", outcome->interrupted ? " interrupted" : "",
                               machine_->aborted() ? " aborted" : "", outcome->partial ? " partial" : "",
                               stopped_by ? " by " + stopped_by->threshold : ""));
  for (const std::string& warning : outcome->warnings) lines_.push_back("warning: " + warning);
  for (const results::ChangeRecord& change : outcome->changes)
    lines_.push_back(fmt::format("changed at {}: {} {}", ms_text(change.at), change.what, change.workflow));
  for (const results::WorkflowReport& report : outcome->workflows)
    lines_.push_back(fmt::format("workflow {} {} layer {} begin {} {}", report.name, name(report.end), report.layer,
                                 ms_text(report.begin), report.message));
  for (const results::ExecutorReport& executor : outcome->executors)
    lines_.push_back(fmt::format("executor {} {} {}", executor.index, text_of(executor.end), executor.message));
  if (outcome->lost_with_executor > 0) lines_.push_back(fmt::format("lost iterations {}", outcome->lost_with_executor));
  lines_.push_back(fmt::format("ran {} of {}", ms_text(outcome->elapsed), ms_text(outcome->wall)));
}

}  // namespace hyperscale::jobs
