#include "apps/hyperscale/run/run_arguments.h"
#include "apps/hyperscale/run/run_command.h"
#include "command.h"
#include "node/process/build_info.h"

#include <memory>

namespace hyperscale::app {

Run add_run_command(Command program) {
  Command command = program.add_subcommand("run", "Load-test a URL or run a workflow file from this machine");
  auto options = std::make_shared<intake::RunOptions>();
  add_run_arguments(command, *options);
  return [options] { return run_command(*options, {node::version_text(), node::git_commit(), node::compiler_text()}); };
}

}  // namespace hyperscale::app
