#include "load/executor.h"

#include "load/action_executor.h"
#include "load/load_executor.h"

namespace hyperscale::load {

Result<std::unique_ptr<Executor>> Executor::make(plan::Plan plan, const plan::Segment& segment, EventLoop& loop,
                                                 TallyRecorder& recorder, std::unique_ptr<StepScript> script,
                                                 ExchangeWatch* watch) {
  if (plan.script.exists() && !script)
    return fail(ErrorCode::kInvalidArgument, "the plan has a script, and nothing here can run it");
  if (plan.script.exists() && plan.script.part != plan::ScriptPart::kSteps) {
    auto actions = std::make_unique<ActionExecutor>(std::move(plan), segment, loop, std::move(script), watch);
    if (auto prepared = actions->prepare(); !prepared) return fail(prepared.error());
    return actions;
  }
  auto executor = std::make_unique<LoadExecutor>(std::move(plan), segment, loop, recorder, std::move(script), watch);
  if (auto prepared = executor->prepare(); !prepared) return fail(prepared.error());
  return executor;
}

}  // namespace hyperscale::load
