// The command line of `hyperscale run`: its options and their help texts.
#pragma once

#include "apps/hyperscale/command_line/command_line.h"
#include "intake/run_options.h"

namespace hyperscale::app {

// `options` must live as long as the command. Options only store text; plan_from_options.h parses it.
void add_run_arguments(Command command, intake::RunOptions& options);
// Only the options of a workflow file.
void add_file_arguments(Command command, intake::RunOptions& options);
// Only the options of a request and a connection, for commands that send a single request.
void add_request_arguments(Command command, intake::RunOptions& options);

}  // namespace hyperscale::app
