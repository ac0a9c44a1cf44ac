#include "node/run/real_executor.h"

#include "node/run/executor_process.h"

namespace hyperscale::node {

int run_executor_process(int control_fd, int region_fd) {
  return run_executor_process(control_fd, region_fd, &load::Executor::make);
}

}  // namespace hyperscale::node
