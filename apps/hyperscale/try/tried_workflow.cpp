#include "apps/hyperscale/try/tried_workflow.h"

#include "load/executor.h"
#include "load/recording/plan_tallies.h"
#include "load/recording/tally_recorder.h"
#include "plan/layers.h"
#include "plan/segment.h"
#include "workflow/script_steps.h"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace hyperscale::app {
namespace {

using load::EventLoop;
using plan::ScriptPart;

class Trial {
 public:
  Trial(const plan::Workflow& workflow, std::vector<plan::SharedValue> values)
      : workflow_(workflow), values_(std::move(values)) {
    out_.name = workflow.plan.name;
  }

  Status run() {
    const plan::Script& script = workflow_.plan.script;
    if (script.has_setup)
      if (Status ran = run_part(ScriptPart::kSetup); !ran) return ran;
    if (!out_.failure.empty()) return {};
    if (Status ran = run_part(ScriptPart::kSteps); !ran) return ran;
    if (script.has_teardown) return run_part(ScriptPart::kTeardown);
    return {};
  }

  TriedWorkflow take() { return std::move(out_); }
  const std::vector<plan::SharedValue>& provided() const { return provided_; }

 private:
  plan::Plan plan_of(ScriptPart part) const {
    plan::Plan plan = workflow_.plan;
    plan.script.part = part;
    plan.load = {};
    plan.load.vus = 1;
    plan.load.iterations = 1;
    plan.http.pipeline = plan.http.streams = 1;
    if (part != ScriptPart::kSteps) plan.steps.clear();
    if (part != ScriptPart::kSteps) plan.checks.clear();
    return plan;
  }

  Status run_part(ScriptPart part) {
    const plan::Plan plan = plan_of(part);
    auto loop = load::make_event_loop(load::LoopBackend::kEpoll);
    if (!loop) return fail(loop.error());
    const load::TallyShape shape = load::tally_shape(plan);
    std::vector<std::uint64_t> memory(load::tally_bytes(shape) / sizeof(std::uint64_t) + 1);
    load::TallyRecorder recorder(memory.data(), shape);
    std::unique_ptr<load::StepScript> script;
    if (plan.script.exists()) {
      auto made = workflow::make_script_steps(plan, **loop);
      if (!made) return fail(made.error());
      script = std::move(*made);
    }
    load::TriedExchanges watch(plan.endpoints,
                               [this](load::TriedExchange exchange) { out_.events.emplace_back(std::move(exchange)); });
    auto executor =
        load::Executor::make(plan, plan::segments_of(1, 1).front(), **loop, recorder, std::move(script), &watch);
    if (!executor) return fail(executor.error());
    (*executor)->log_to([this](load::LogLevel level, std::string_view text) {
      out_.events.emplace_back(TriedLine{level, std::string(text)});
    });
    if (Status given = (*executor)->give(values_); !given) return given;
    (*executor)->start(EventLoop::now(), 0);
    while (!(*executor)->done()) {
      (*loop)->run_once();
      (*executor)->between_turns();
    }
    const std::vector<plan::SharedValue> given = (*executor)->given();
    if (part == ScriptPart::kSetup) values_.insert(values_.end(), given.begin(), given.end());
    if (part == ScriptPart::kSteps) provided_ = given;
    if (part == ScriptPart::kSteps)
      out_.result = load::TallyReader(memory.data(), shape).share(load::tally_names(plan));
    if (const std::string failure = (*executor)->failure(); !failure.empty())
      out_.failure = (part == ScriptPart::kSetup ? "setup failed: " : "teardown failed: ") + failure;
    return {};
  }

  const plan::Workflow& workflow_;
  std::vector<plan::SharedValue> values_;
  std::vector<plan::SharedValue> provided_;
  TriedWorkflow out_;
};

}  // namespace

bool TriedWorkflow::good() const {
  const bool checked = std::ranges::all_of(result.checks, [](const auto& check) { return check.failed == 0; });
  return failure.empty() && checked && result.iterations_failed == 0;
}

Result<std::vector<TriedWorkflow>> try_job(const plan::Job& job) {
  std::vector<plan::Dependent> members;
  members.reserve(job.workflows.size());
  for (const plan::Workflow& workflow : job.workflows) members.push_back({workflow.plan.name, workflow.depends});
  const auto layers = plan::layers_of("workflow", members);
  if (!layers) return fail(ErrorCode::kInvalidArgument, layers.error().message);
  std::vector<TriedWorkflow> out;
  std::vector<std::pair<const plan::Workflow*, std::vector<plan::SharedValue>>> provided;
  for (const auto& layer : *layers) {
    for (const std::uint32_t index : layer) {
      const plan::Workflow& workflow = job.workflows[index];
      std::vector<plan::SharedValue> values;
      for (const auto& [from, given] : provided)
        for (const plan::SharedValue& value : given)
          if (plan::is_for(from->plan.script, value.key, workflow.plan.name)) values.push_back(value);
      Trial trial(workflow, std::move(values));
      if (Status ran = trial.run(); !ran) return fail(ran.error());
      provided.emplace_back(&workflow, trial.provided());
      out.push_back(trial.take());
    }
  }
  return out;
}

}  // namespace hyperscale::app
