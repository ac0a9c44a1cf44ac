#include "node/local/job_run.h"

#include "base/check.h"
#include "intake/settings_from_options.h"
#include "jobs/run_outcome.h"
#include "load/loop/event_loop.h"
#include "node/executors/machine_limits.h"
#include "runtime/clock/clock.h"

#include <csignal>
#include <utility>

namespace hyperscale::node {
namespace {

using boost::system::error_code;
using load::EventLoop;

}  // namespace

JobRun::JobRun(asio::io_context& io, Calls calls)
    : io_(io), calls_(std::move(calls)), continued_(io, SIGCONT), beat_timer_(io), tick_timer_(io) {}

Status JobRun::launch(const RunRequest& request, StreamHost& streams) {
  request_ = &request;
  const std::vector<int> cores = usable_cores();
  const auto pool = request.executors != 0 ? request.executors : static_cast<std::uint32_t>(cores.size());
  auto setup = jobs::setup_of(request.job, pool);
  if (!setup) return fail(setup.error());
  job_.emplace(with_request(std::move(*setup)), EventLoop::now());
  for (std::size_t i = 0; i < job_->workflows().size(); ++i)
    if (Status made = make_run(i, cores, streams); !made) return made;
  step(jobs::LaunchJob{});
  if (job_->failure()) return fail(*job_->failure());
  return {};
}

jobs::JobSetup JobRun::with_request(jobs::JobSetup setup) const {
  setup.time_limit = request_->timeout;
  setup.thresholds = request_->thresholds;
  setup.warnings.insert(setup.warnings.begin(), request_->warnings.begin(), request_->warnings.end());
  setup.users_fit = [descriptors = raise_descriptor_limit()](std::uint32_t users, std::uint32_t executors) {
    return intake::check_descriptors("vus", users, executors, {.descriptors_max = descriptors, .cores = 1});
  };
  return setup;
}

Status JobRun::make_run(std::size_t workflow, const std::vector<int>& cores, StreamHost& streams) {
  const jobs::SequenceMachine& machine = job_->workflow(workflow);
  WorkflowSetup setup{.cores = {},
                      .backend = request_->backend,
                      .program = request_->program,
                      .arguments = request_->arguments,
                      .streams = &streams};
  for (const std::uint32_t core : machine.setup().cores) setup.cores.push_back(cores[core % cores.size()]);
  auto run = WorkflowRun::make(
      io_, machine, std::move(setup),
      {.event = [this, workflow](
                    plan::ScriptPart part,
                    const jobs::ShareMachine::Event& event) { step(jobs::ShareEvent{{workflow, part}, event}); },
       .log = [this, workflow](const std::string& text) { step(jobs::ScriptLogged{workflow, text}); }});
  if (!run) return fail(run.error());
  runs_.push_back(std::move(*run));
  return {};
}

void JobRun::begin() {
  await_continue();
  beat();
}

void JobRun::step(const jobs::JobMachine::Event& event) {
  for (const jobs::JobMachine::Action& action : job_->step(event, EventLoop::now()))
    std::visit([this](const auto& each) { carry_out(each); }, action);
  while (!at_once_.empty()) {
    const jobs::JobMachine::Event next = std::move(at_once_.front());
    at_once_.pop_front();
    step(next);
  }
}

void JobRun::carry_out(const jobs::ToExecutor& to) {
  const Status done = runs_[to.share.workflow]->carry_out(to.share.part, to.command);
  const auto* launch = std::get_if<jobs::LaunchExecutor>(&to.command);
  if (launch == nullptr) return;
  jobs::ShareMachine::Event answer = jobs::Launched{launch->executor};
  if (!done) answer = jobs::LaunchFailed{launch->executor, done.error()};
  at_once_.emplace_back(jobs::ShareEvent{to.share, std::move(answer)});
}

void JobRun::carry_out(const jobs::TickAt& tick) {
  tick_timer_.expires_at(runtime::to_steady(tick.at));
  tick_timer_.async_wait([this](error_code error) {
    if (error) return;
    calls_.ticked();
    jobs::Tick now;
    for (std::size_t i = 0; i < runs_.size(); ++i)
      for (const jobs::PartSight& seen : runs_[i]->sights()) now.sights.push_back({{i, seen.part}, seen.sight});
    step(now);
  });
}

void JobRun::carry_out(const jobs::JobStarted& started) {
  started_at_ = runtime::wall_now() + (started.at - EventLoop::now());
  calls_.started(started.at);
}

void JobRun::carry_out(const jobs::Judge& judge) {
  const auto so_far = outcome();
  if (!so_far) return;
  jobs::Judged judged{.at = judge.at, .verdicts = {}};
  for (const results::RunThreshold& each : request_->thresholds)
    judged.verdicts.push_back(each.threshold.judge(*so_far));
  calls_.judged(judged.verdicts);
  at_once_.emplace_back(std::move(judged));
}

void JobRun::beat() {
  step(jobs::Beat{});
  beat_timer_.expires_after(jobs::kBeatInterval);
  beat_timer_.async_wait([this](error_code error) {
    if (!error) beat();
  });
}

void JobRun::await_continue() {
  continued_.async_wait([this](error_code error, int) {
    if (error) return;
    step(jobs::Continued{});
    await_continue();
  });
}

Result<jobs::Changed> JobRun::ask(const jobs::JobMachine::Event& question) {
  answer_.reset();
  step(question);
  CHECK(answer_.has_value(), "a question without an answer");
  return *std::exchange(answer_, std::nullopt);
}

Result<jobs::Changed> JobRun::change(const plan::LoadRequest& asked) {
  return ask(jobs::ChangeAsked{asked});
}

Status JobRun::stop(std::string_view workflow, const std::string& why) {
  const auto stopped = ask(jobs::StopAsked{std::string(workflow), why});
  return stopped ? Status() : Status(fail(stopped.error()));
}

void JobRun::signal(bool is_hangup) {
  step(jobs::Signal{.is_hangup = is_hangup, .requests_in_flight = live().users});
}

void JobRun::warn(const std::string& text) {
  step(jobs::Warned{text});
}

results::WindowTotals JobRun::live() const {
  results::WindowTotals sum;
  for (const auto& run : runs_) sum += run->live();
  return sum;
}

Result<results::RunResult> JobRun::outcome() const {
  std::vector<jobs::RecordedShare> shares;
  for (const auto& run : runs_) {
    auto share = run->recorded();
    if (!share) return fail(share.error());
    shares.push_back(std::move(*share));
  }
  return jobs::outcome_of(*job_, std::move(shares), EventLoop::now());
}

}  // namespace hyperscale::node
