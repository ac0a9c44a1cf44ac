#include "node/local/workflow_run.h"

#include "base/check.h"
#include "intake/run_description.h"
#include "load/pacing/load_curve.h"

#include <array>
#include <utility>

namespace hyperscale::node {
namespace {

using plan::ScriptPart;

// Stream numbers of setups and teardowns start here, above those of all executors.
constexpr std::uint32_t kActionStreams = 1'000'000;

}  // namespace

WorkflowRun::WorkflowRun(asio::io_context& io, const jobs::SequenceMachine& machine, WorkflowSetup setup, Calls calls)
    : io_(io), machine_(machine), setup_(std::move(setup)), calls_(std::move(calls)) {
  CHECK(setup_.cores.size() == machine.setup().segments.size(), "{} cores for {} executors", setup_.cores.size(),
        machine.setup().segments.size());
}

Result<std::unique_ptr<WorkflowRun>> WorkflowRun::make(asio::io_context& io, const jobs::SequenceMachine& machine,
                                                       WorkflowSetup setup, Calls calls) {
  std::unique_ptr<WorkflowRun> run(new WorkflowRun(io, machine, std::move(setup), std::move(calls)));
  if (Status made = run->make_steps(); !made) return fail(made.error());
  return run;
}

Status WorkflowRun::make_steps() {
  PoolObserver& observer = steps_;
  auto pool = ExecutorPool::make(io_,
                                 {.plan = workflow().plan,
                                  .segments = machine_.setup().segments,
                                  .backend = setup_.backend,
                                  .cores = setup_.cores,
                                  .program = setup_.program,
                                  .arguments = setup_.arguments,
                                  .streams = setup_.streams,
                                  .first_stream = machine_.setup().first_executor},
                                 observer);
  if (!pool) return fail(pool.error());
  steps_.pool = std::move(*pool);
  return {};
}

Status WorkflowRun::make_action(Part& part) {
  plan::Plan plan = workflow().plan;
  plan.script.part = part.part;
  plan.steps.clear();
  plan.checks.clear();
  PoolObserver& observer = part;
  auto pool = ExecutorPool::make(io_,
                                 {.plan = std::move(plan),
                                  .segments = plan::segments_of(1, 1),
                                  .backend = setup_.backend,
                                  .cores = {setup_.cores.front()},
                                  .program = setup_.program,
                                  .arguments = setup_.arguments,
                                  .streams = setup_.streams,
                                  .first_stream = kActionStreams + machine_.setup().first_executor},
                                 observer);
  if (!pool) return fail(pool.error());
  part.pool = std::move(*pool);
  return {};
}

WorkflowRun::Part& WorkflowRun::part_of(ScriptPart part) {
  return part == ScriptPart::kSteps ? steps_ : part == ScriptPart::kSetup ? before_ : after_;
}

Status WorkflowRun::carry_out(ScriptPart which, const jobs::ExecutorCommand& command) {
  Part& part = part_of(which);
  if (const auto* launch = std::get_if<jobs::LaunchExecutor>(&command)) {
    if (!part.pool)
      if (Status made = make_action(part); !made) return made;
    return part.pool->launch(*launch);
  }
  if (!part.pool) return {};
  if (const auto* start = std::get_if<jobs::StartExecutor>(&command)) part.pool->start(*start);
  if (const auto* change = std::get_if<jobs::ChangeExecutor>(&command)) part.pool->change(*change);
  if (const auto* stop = std::get_if<jobs::StopExecutor>(&command)) part.pool->stop(stop->executor);
  if (const auto* kill = std::get_if<jobs::KillExecutor>(&command)) part.pool->kill(kill->executor);
  if (const auto* lose = std::get_if<jobs::LoseExecutor>(&command)) part.pool->lose(lose->executor);
  return {};
}

std::vector<jobs::PartSight> WorkflowRun::sights() const {
  std::vector<jobs::PartSight> out;
  for (const Part* part : {&steps_, &before_, &after_}) {
    if (!part->pool) continue;
    for (const jobs::Sight& sight : part->pool->sights()) out.push_back({part->part, sight});
  }
  return out;
}

void WorkflowRun::Part::on_log(load::LogLevel level, const std::string& text) {
  static constexpr std::array<std::string_view, 4> kNames{"debug: ", "", "warning: ", "error: "};
  owner.calls_.log(std::string(kNames[static_cast<std::size_t>(level)]) + text);
}

double WorkflowRun::target(MonoTime at) const {
  if (const auto set = machine_.set_target()) return *set;
  const load::LoadCurve curve(load());
  return curve.target_at(begun() ? at - machine_.steps().times().start() : Duration::zero());
}

std::vector<std::string> WorkflowRun::step_names() const {
  std::vector<std::string> names;
  for (const plan::Step& step : workflow().plan.steps) names.push_back(step.name);
  const load::TallyShape shape = load::tally_shape(workflow().plan);
  if (shape.named > 0 && !shape.named_are_parts) names.emplace_back("calls of functions");
  return names;
}

Result<jobs::RecordedShare> WorkflowRun::recorded() const {
  auto recorded = steps_.pool->recorded();
  if (!recorded) return fail(recorded.error());
  results::RunResult figures({}, std::move(*recorded));
  const plan::Plan& plan = workflow().plan;
  figures.target = intake::target_of(plan);
  figures.protocol = intake::describe_protocol(plan, figures.http);
  figures.load_description = intake::describe_load(load());
  return jobs::RecordedShare{.figures = std::move(figures),
                             .first_start = steps_.pool->first_start(),
                             .last_end = steps_.pool->last_end(),
                             .executors = steps_.pool->reports(jobs::time_run(machine_))};
}

}  // namespace hyperscale::node
