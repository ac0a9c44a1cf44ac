#include "apps/hyperscale/check/check_work.h"
#include "apps/hyperscale/try/try_work.h"
#include "command.h"
#include "intake/describe_work.h"
#include "intake/guarded_work.h"
#include "node/executors/real_executor.h"
#include "node/executors/stream_keeper.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::app {
namespace {

struct ExecutorOptions {
  int control = -1;
  int region = -1;
  bool self_test = false;
  std::vector<std::string> work;
  std::string keep_streams;
  std::string name_space;
  std::uint32_t keep_epochs = 0;
};

int keep_streams(const ExecutorOptions& options) {
  stream::DriverSetup setup{.shm_base_dir = options.keep_streams, .name_space = options.name_space};
  setup.policies.epoch_gc_keep = options.keep_epochs;
  return node::run_stream_keeper(options.control, setup);
}

int run_work(const ExecutorOptions& options) {
  return intake::run_guarded_work(
      options.control, options.work,
      {{"describe", &intake::prepare_describing}, {"check", &prepare_check}, {"try", &prepare_try}});
}

}  // namespace

// Only parent processes start it, so --help does not list it.
Run add_executor_command(Command program) {
  Command command =
      program.add_subcommand("executor", "Generate load, or run a script, for a parent process")->group("");
  auto options = std::make_shared<ExecutorOptions>();
  command->add_option("--control-fd", options->control, "Socket to the parent");
  command->add_option("--region-fd", options->region, "Shared memory for the tallies");
  command->add_option("--work", options->work, "Work on a script to run instead: name and arguments")->expected(1, 8);
  command->add_option("--keep-streams", options->keep_streams,
                      "Remove the streams of a killed runner instead: their base folder");
  command->add_option("--namespace", options->name_space, "Namespace of those streams");
  command->add_option("--keep-epochs", options->keep_epochs, "Number of latest epochs to keep");
  command->add_flag("--self-test", options->self_test,
                    "Test what the sandbox of scripts refuses and allows on this machine");
  return [options] {
    if (options->self_test) return node::run_sandbox_self_test();
    if (!options->keep_streams.empty()) return keep_streams(*options);
    if (!options->work.empty()) return run_work(*options);
    return node::run_executor_process(options->control, options->region);
  };
}

}  // namespace hyperscale::app
