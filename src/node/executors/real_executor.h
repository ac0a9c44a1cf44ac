// The command `hyperscale executor`: an executor process with the real load engine. See executor_process.h.
#pragma once

namespace hyperscale::node {

// Returns the exit code of the process.
int run_executor_process(int control_fd, int region_fd);

// `hyperscale executor --self-test`: prints what the sandbox refuses and allows here. Fails if a check of the sandbox
// fails. REQUIRES: one thread.
int run_sandbox_self_test();

}  // namespace hyperscale::node
