// ScriptSteps: the functions of a plan's script for an executor: load::StepScript on the script runtime.
//
// Thread rule: as Engine, and the thread of the event loop. Events during a script run are queued and reported in order
// when it has returned; after a bounded number of events the loop runs, even if the script (steps that send nothing)
// never waits.
#pragma once

#include "base/result.h"
#include "load/loop/event_loop.h"
#include "load/step_script.h"
#include "plan/plan.h"

#include <memory>

namespace hyperscale::workflow {

// Loads the plan's files and finds its workflow in them. `loop` must outlive the result. `generation` is that of the
// segment. Fails with every error found, ready for display.
Result<std::unique_ptr<load::StepScript>> make_script_steps(plan::Plan plan, load::EventLoop& loop,
                                                            std::uint32_t generation = 0);

}  // namespace hyperscale::workflow
