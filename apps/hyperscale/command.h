// One file per command; each adds its command to the program and returns the function that runs it.
#pragma once

#include "apps/hyperscale/command_line/command_line.h"

#include <functional>

namespace hyperscale::app {

// Returns the process's exit code.
using Run = std::function<int()>;

Run add_check_command(Command program);
Run add_cluster_command(Command program);
Run add_ctl_command(Command program);
Run add_executor_command(Command program);
Run add_gate_command(Command program);
Run add_manager_command(Command program);
Run add_new_command(Command program);
Run add_node_command(Command program);
Run add_ping_command(Command program);
Run add_run_command(Command program);
Run add_sim_command(Command program);
Run add_stream_command(Command program);
Run add_target_command(Command program);
Run add_try_command(Command program);
Run add_version_command(Command program);
Run add_worker_command(Command program);

}  // namespace hyperscale::app
