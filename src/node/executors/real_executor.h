// The command `hyperscale executor`: an executor process with the real load engine. See executor_process.h.
#pragma once

namespace hyperscale::node {

// Gives the exit code of the process.
int run_executor_process(int control_fd, int region_fd);

// `hyperscale executor --self-test`: prints what the sandbox refuses and allows here. Fails when something is not as it
// should be. REQUIRES: one thread.
int run_sandbox_self_test();

}  // namespace hyperscale::node
