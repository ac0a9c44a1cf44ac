// What a key of the screen asks of a run, as a command. Pure; any thread.
#pragma once

#include "plan/load_command.h"
#include "plan/plan.h"
#include "tui/screen_control.h"

#include <optional>

namespace hyperscale::node {

// `target` is what the workflow's load is now: users of a closed loop, the rate of an open one. Steps are a tenth of
// it, and at least one. Nothing when the workflow has no such thing.
std::optional<plan::LoadCommand> command_of(tui::Action action, plan::Pacing pacing, double target, bool paused);

}  // namespace hyperscale::node
