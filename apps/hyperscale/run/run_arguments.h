// The command line of `hyperscale run`: which options there are and what --help says of them.
#pragma once

#include "apps/hyperscale/command_line/command_line.h"
#include "intake/run_options.h"

namespace hyperscale::app {

// `options` must live as long as the command. Options only store text; see plan_from_options.h for what it means.
void add_run_arguments(Command command, intake::RunOptions& options);
// Only those about a workflow file.
void add_file_arguments(Command command, intake::RunOptions& options);
// Only those that describe a request and a connection, for commands that send a single one.
void add_request_arguments(Command command, intake::RunOptions& options);

}  // namespace hyperscale::app
