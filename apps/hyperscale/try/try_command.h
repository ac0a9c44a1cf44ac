// `hyperscale try URL|FILE` and `hyperscale ping http URL`: one request or one trial of a workflow file, shown in full.
// Call on the main thread.
#pragma once

#include "intake/run_options.h"

#include <string>

namespace hyperscale::app {

enum class TryOutput { kText, kJson };

// Returns 0: answered as expected; 1: not; 2: wrong options or input. `command`: name of the command in error lines.
int try_command(intake::RunOptions options, const std::string& command, TryOutput output = TryOutput::kText);

}  // namespace hyperscale::app
