#include "command.h"
#include "node/run/real_executor.h"

#include <memory>

#include <CLI/CLI.hpp>

namespace hyperscale::app {

// Started by a runner or a worker node only, so it is not in the list of commands.
Run add_executor_command(CLI::App& program) {
  struct Descriptors {
    int control = -1;
    int region = -1;
  };
  CLI::App* command = program.add_subcommand("executor", "Generate load for a parent process")->group("");
  auto descriptors = std::make_shared<Descriptors>();
  command->add_option("--control-fd", descriptors->control, "Socket to the parent")->required();
  command->add_option("--region-fd", descriptors->region, "Shared memory for the tallies")->required();
  return [descriptors] { return node::run_executor_process(descriptors->control, descriptors->region); };
}

}  // namespace hyperscale::app
