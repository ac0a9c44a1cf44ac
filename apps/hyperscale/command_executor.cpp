#include "command.h"
#include "node/executors/real_executor.h"

#include <memory>

namespace hyperscale::app {

// Started by a runner or a worker node only, so it is not in the list of commands.
Run add_executor_command(Command program) {
  struct Descriptors {
    int control = -1;
    int region = -1;
    bool self_test = false;
  };
  Command command = program.add_subcommand("executor", "Generate load for a parent process")->group("");
  auto descriptors = std::make_shared<Descriptors>();
  command->add_option("--control-fd", descriptors->control, "Socket to the parent");
  command->add_option("--region-fd", descriptors->region, "Shared memory for the tallies");
  command->add_flag("--self-test", descriptors->self_test,
                    "Try what the sandbox of scripts must refuse on this machine, and what it must allow");
  return [descriptors] {
    if (descriptors->self_test) return node::run_sandbox_self_test();
    return node::run_executor_process(descriptors->control, descriptors->region);
  };
}

}  // namespace hyperscale::app
