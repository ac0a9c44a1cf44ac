// Translates a key of the screen to a command for the run. Pure; any thread.
#pragma once

#include "plan/load_command.h"
#include "plan/plan.h"
#include "tui/screen_control.h"

#include <optional>

namespace hyperscale::node {

// `target` is the current load of the workflow: users of a closed loop, the rate of an open one. Steps are a tenth of
// it, and at least one. Empty if the action does not apply to this pacing.
std::optional<plan::LoadCommand> command_of(tui::Action action, plan::Pacing pacing, double target, bool paused);

}  // namespace hyperscale::node
