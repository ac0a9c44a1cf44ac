// One file per command; each adds itself to the program and returns what to run when it was chosen.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace hyperscale::app {

// Gives the process's exit code.
using Run = std::function<int()>;

Run add_check_command(CLI::App& program);
Run add_cluster_command(CLI::App& program);
Run add_ctl_command(CLI::App& program);
Run add_executor_command(CLI::App& program);
Run add_gate_command(CLI::App& program);
Run add_manager_command(CLI::App& program);
Run add_new_command(CLI::App& program);
Run add_node_command(CLI::App& program);
Run add_ping_command(CLI::App& program);
Run add_run_command(CLI::App& program);
Run add_sim_command(CLI::App& program);
Run add_stream_command(CLI::App& program);
Run add_target_command(CLI::App& program);
Run add_try_command(CLI::App& program);
Run add_version_command(CLI::App& program);
Run add_worker_command(CLI::App& program);

}  // namespace hyperscale::app
