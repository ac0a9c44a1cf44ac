#include "load/executor.h"

#include "load/load_executor.h"

namespace hyperscale::load {

Result<std::unique_ptr<Executor>> Executor::make(plan::Plan plan, const plan::Segment& segment, EventLoop& loop,
                                                 TallyRecorder& recorder) {
  auto executor = std::make_unique<LoadExecutor>(std::move(plan), segment, loop, recorder);
  if (auto prepared = executor->prepare(); !prepared) return fail(prepared.error());
  return executor;
}

}  // namespace hyperscale::load
