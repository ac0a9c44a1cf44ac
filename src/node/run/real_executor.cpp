#include "node/run/real_executor.h"

#include "node/run/executor_process.h"
#include "workflow/script_steps.h"

#include <utility>

namespace hyperscale::node {
namespace {

Result<std::unique_ptr<load::Executor>> make_executor(plan::Plan plan, const plan::Segment& segment,
                                                      load::EventLoop& loop, load::TallyRecorder& recorder) {
  if (!plan.script.exists()) return load::Executor::make(std::move(plan), segment, loop, recorder);
  auto script = workflow::make_script_steps(plan, loop);
  if (!script) return fail(script.error());
  plan.script.files.clear();  // the engine has them
  return load::Executor::make(std::move(plan), segment, loop, recorder, std::move(*script));
}

}  // namespace

int run_executor_process(int control_fd, int region_fd) {
  return run_executor_process(control_fd, region_fd, &make_executor);
}

}  // namespace hyperscale::node
