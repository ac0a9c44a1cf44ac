// ScriptSteps: the functions of a plan's script for an executor: load::StepScript on the script runtime.
//
// Thread rule: as Engine, and the thread of the event loop. What the script does while it runs is noted and told when
// it has returned, in order; a script that never lets go of the loop by itself (steps that send nothing) is made to,
// every so many events.
#pragma once

#include "base/result.h"
#include "load/loop/event_loop.h"
#include "load/step_script.h"
#include "plan/plan.h"

#include <memory>

namespace hyperscale::workflow {

// Loads the plan's files and finds its workflow in them. `loop` outlives the result. `generation` is that of the
// segment. Fails with every mistake that was
// found, ready to be shown.
Result<std::unique_ptr<load::StepScript>> make_script_steps(plan::Plan plan, load::EventLoop& loop,
                                                            std::uint32_t generation = 0);

}  // namespace hyperscale::workflow
