#include "node/local/workflow_run.h"

#include "base/check.h"
#include "base/number_text.h"
#include "intake/run_description.h"
#include "intake/settings_from_options.h"
#include "load/pacing/load_curve.h"
#include "node/executors/machine_limits.h"
#include "plan/segment.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

using load::EventLoop;

// After the graceful stop, for an executor to say that it has finished.
constexpr Duration kEndPatience = 5s;
// Above the numbers of all executors: setups and teardowns publish beside them.
constexpr std::uint32_t kActionStreams = 1'000'000;

}  // namespace

Result<std::unique_ptr<WorkflowRun>> WorkflowRun::launch(asio::io_context& io, WorkflowSetup setup,
                                                         WorkflowObserver& observer) {
  std::unique_ptr<WorkflowRun> run(new WorkflowRun(io, std::move(setup), observer));
  const WorkflowSetup& made = run->setup_;
  PoolObserver& itself = *run;
  auto pool =
      ExecutorPool::make(io,
                         {.plan = made.workflow->plan,
                          .segments = plan::segments_of(run->load().vus, static_cast<std::uint32_t>(made.cores.size())),
                          .backend = made.backend,
                          .cores = made.cores,
                          .program = made.program,
                          .arguments = made.arguments,
                          .streams = made.streams,
                          .first_stream = made.first_executor},
                         itself);
  if (!pool) return fail(pool.error());
  run->pool_ = std::move(*pool);
  return run;
}

void WorkflowRun::start(MonoTime at, std::vector<plan::SharedValue> values) {
  started_ = true;
  start_ = at + workflow().start_offset;
  values_ = std::move(values);
  if (!workflow().plan.script.has_setup) return begin();
  if (const Status launched = run_actions(plan::ScriptPart::kSetup); !launched) {
    failure_ = launched.error().context;
    pool_->kill();
  }
}

Status WorkflowRun::run_actions(plan::ScriptPart part) {
  plan::Plan plan = workflow().plan;
  plan.script.part = part;
  plan.steps.clear();
  plan.checks.clear();
  actions_ = std::make_unique<Actions>(*this, part);
  PoolObserver& observer = *actions_;
  auto pool = ExecutorPool::make(io_,
                                 {.plan = std::move(plan),
                                  .segments = plan::segments_of(1, 1),
                                  .backend = setup_.backend,
                                  .cores = {setup_.cores.front()},
                                  .program = setup_.program,
                                  .arguments = setup_.arguments,
                                  .restarts_max = 0,
                                  .streams = setup_.streams,
                                  .first_stream = kActionStreams + setup_.first_executor},
                                 observer);
  if (!pool) {
    actions_.reset();
    return fail(pool.error());
  }
  actions_->pool = std::move(*pool);
  return {};
}

void WorkflowRun::Actions::on_ready() {
  pool->start(std::max(owner.start_, EventLoop::now()), owner.values_);
}

void WorkflowRun::Actions::on_done() {
  owner.actions_ended(*this);
}

void WorkflowRun::actions_ended(const Actions& actions) {
  const std::string failure = actions.refused.empty() ? actions.pool->failure() : actions.refused;
  if (actions.part == plan::ScriptPart::kTeardown) {
    if (!failure.empty()) observer_.on_workflow_said(*this, "teardown failed: " + failure);
    return end();
  }
  if (stopped_ || killed_ || !failure.empty()) {
    if (!stopped_ && !killed_) failure_ = "setup failed: " + failure;
    return pool_->kill();
  }
  for (plan::SharedValue& value : actions_->pool->values()) values_.push_back(std::move(value));
  start_ = std::max(start_, EventLoop::now());
  begin();
}

void WorkflowRun::begin() {
  begun_ = true;
  counted_from_ = start_ + load().warmup;
  deadline_ = end_of_patience();
  pool_->start(start_, values_);
  observer_.on_workflow_begun(*this);
}

MonoTime WorkflowRun::end_of_patience() const {
  if (load().duration == Duration::zero() || paused()) return MonoTime::max();
  const Duration paused = clock_.paused_within(counted_from_, EventLoop::now());
  return counted_from_ + load().duration + paused + stood_still_ + load().graceful_stop + kEndPatience;
}

Status WorkflowRun::can_change(const plan::LoadCommand& command) const {
  const auto refuse = [](std::string why) { return fail(ErrorCode::kInvalidArgument, std::move(why)); };
  if (!begun_) return refuse("it has not begun yet");
  if (done_ || pool_->done()) return refuse("it has ended");
  if (stopped_) return refuse("it is stopping");
  const bool open = load().pacing == plan::Pacing::kOpen;
  switch (command.kind) {
    case plan::LoadChangeKind::kUsers:
      if (open && command.value < 1) return refuse("vus: a rate needs at least 1 user");
      return intake::check_descriptors("vus", static_cast<std::uint32_t>(command.value),
                                       static_cast<std::uint32_t>(setup_.cores.size()),
                                       {.descriptors_max = raise_descriptor_limit(), .cores = 1});
    case plan::LoadChangeKind::kRate:
      if (!open) return refuse("rate: it runs users in a closed loop and has no rate; change vus");
      return {};
    case plan::LoadChangeKind::kPause:
      return paused() ? Status(refuse("it is paused already")) : Status();
    case plan::LoadChangeKind::kResume:
      return paused() ? Status() : Status(refuse("it is not paused"));
  }
  return {};
}

double WorkflowRun::target(MonoTime at) const {
  if (set_target_) return *set_target_;
  const load::LoadCurve curve(load());
  return begun_ ? curve.target_at(at - start_) : curve.target_at(Duration::zero());
}

Status WorkflowRun::change(const plan::LoadCommand& command, MonoTime now) {
  if (Status possible = can_change(command); !possible) return possible;
  if (command.kind == plan::LoadChangeKind::kUsers || command.kind == plan::LoadChangeKind::kRate) changed_ = true;
  if (command.kind == plan::LoadChangeKind::kPause) clock_.pause(now);
  if (command.kind == plan::LoadChangeKind::kResume) resume(now);
  deadline_ = end_of_patience();
  const bool open = load().pacing == plan::Pacing::kOpen;
  if (command.kind == (open ? plan::LoadChangeKind::kRate : plan::LoadChangeKind::kUsers)) set_target_ = command.value;
  pool_->change({command.kind, command.value, now});
  return {};
}

// A pause in the warm-up makes that longer, not the counted part.
void WorkflowRun::resume(MonoTime now) {
  if (paused_in_warmup()) counted_from_ += now - clock_.paused_at();
  clock_.resume(now);
}

// Nobody takes over the share of a lost executor: that would run iterations twice or under numbers of others.
std::string WorkflowRun::shortfall(const plan::LoadCommand& command) const {
  std::vector<std::uint32_t> lost = pool_->lost();
  const bool users = command.kind == plan::LoadChangeKind::kUsers, rate = command.kind == plan::LoadChangeKind::kRate;
  if (lost.empty() || !(users || rate) || command.value == 0) return {};
  for (std::uint32_t& executor : lost) executor += setup_.first_executor;
  const double left = 1.0 - static_cast<double>(lost.size()) / executors();
  return fmt::format(
      "{} {} {} lost: {}", lost.size() == 1 ? "executor" : "executors", fmt::join(lost, ", "),
      lost.size() == 1 ? "is" : "are",
      users ? fmt::format("{} of them run", pool_->users_left_of(static_cast<std::uint64_t>(command.value)))
            : fmt::format("{} of it is left", rate_text(command.value * left)));
}

void WorkflowRun::leave_out(std::string why) {
  CHECK(!started_, "workflow {} is under way", name());
  left_out_ = std::move(why);
  pool_->kill();
}

void WorkflowRun::stop() {
  if (!started_ || done_ || stopped_) return;
  stopped_ = true;
  if (!begun_) {
    if (actions_) actions_->pool->stop();
    return;
  }
  if (pool_->done()) return;  // the teardown is under way
  deadline_ = EventLoop::now() + load().graceful_stop + kEndPatience;
  pool_->stop();
}

void WorkflowRun::kill() {
  killed_ = true;
  if (actions_) actions_->pool->kill();
  pool_->kill();
}

void WorkflowRun::look_after() {
  if (begun_ && !pool_->done()) pool_->look_after();
  if (actions_ && !actions_->pool->done()) actions_->pool->look_after();
}

void WorkflowRun::give_up() {
  deadline_ = MonoTime::max();
  pool_->give_up();
}

void WorkflowRun::on_log(load::LogLevel level, const std::string& text) {
  static constexpr std::array<std::string_view, 4> kNames{"debug: ", "", "warning: ", "error: "};
  observer_.on_workflow_said(*this, std::string(kNames[static_cast<std::size_t>(level)]) + text);
}

void WorkflowRun::on_done() {
  deadline_ = MonoTime::max();
  ended_ = EventLoop::now();
  const bool tears_down = begun_ && !killed_ && workflow().plan.script.has_teardown;
  if (!tears_down) return end();
  if (const Status launched = run_actions(plan::ScriptPart::kTeardown); !launched) {
    observer_.on_workflow_said(*this, "teardown failed: " + launched.error().context);
    end();
  }
}

void WorkflowRun::end() {
  done_ = true;
  observer_.on_workflow_done(*this);
}

std::vector<std::string> WorkflowRun::step_names() const {
  std::vector<std::string> names;
  for (const plan::Step& step : workflow().plan.steps) names.push_back(step.name);
  const load::TallyShape shape = load::tally_shape(workflow().plan);
  if (shape.named > 0 && !shape.named_are_parts) names.emplace_back("calls of functions");
  return names;
}

std::vector<plan::SharedValue> WorkflowRun::provided_to(const std::string& workflow) const {
  std::vector<plan::SharedValue> values = pool_->values();
  std::erase_if(values, [&](const plan::SharedValue& value) {
    return !plan::is_for(this->workflow().plan.script, value.key, workflow);
  });
  return values;
}

Result<results::RunResult> WorkflowRun::result() const {
  auto recorded = pool_->recorded();
  if (!recorded) return fail(recorded.error());
  results::RunResult result({}, std::move(*recorded));
  const plan::Plan& plan = workflow().plan;
  result.target = intake::target_of(plan);
  result.protocol = intake::describe_protocol(plan, result.http);
  result.load_description = intake::describe_load(load());
  result.wall = result.elapsed;
  result.elapsed -= clock_.paused_within(pool_->first_start(), pool_->last_end());
  // A run that its count ended had no duration to keep.
  const Duration planned = load().duration;
  result.planned = load().iterations > 0 && result.elapsed < planned ? Duration::zero() : planned;
  result.open_loop = load().pacing == plan::Pacing::kOpen;
  const bool even = load().stages.empty() && !load().poisson && !changed_;  // chance alone moves that of others
  if (result.open_loop && even) result.asked_rate_per_s = load().rate_per_s;
  if (begun_) result.executors = pool_->reports(clock_.active_within(start_, ended_));
  for (results::ExecutorReport& executor : result.executors) executor.index += setup_.first_executor;
  result.partial = lost_a_share();
  return result;
}

results::WorkflowReport WorkflowRun::report(const results::RunResult& result, MonoTime run_start) const {
  const results::Counts counts = result.total_counts();
  results::WorkflowReport report;
  report.name = name();
  const bool failed = lost_a_share() || !failure_.empty();
  report.end = left_out() ? results::WorkflowEnd::kNotRun
               : failed   ? results::WorkflowEnd::kFailed
               : stopped_ ? results::WorkflowEnd::kStopped
                          : results::WorkflowEnd::kCompleted;
  report.message = left_out() ? left_out_ : failure_;
  report.load_description = result.load_description;
  report.layer = setup_.layer;
  report.cores = static_cast<std::uint32_t>(setup_.cores.size());
  if (begun_) report.begin = counted_from_ - run_start;
  report.elapsed = result.elapsed;
  report.wall = result.wall;
  report.iterations = result.iterations;
  report.iterations_failed = result.iterations_failed;
  report.iterations_cut = result.iterations_cut;
  report.dropped = result.dropped;
  report.requests = counts.requests();
  report.redirected = counts.requests() - counts.concluded();
  report.errors = counts.errors();
  return report;
}

}  // namespace hyperscale::node
