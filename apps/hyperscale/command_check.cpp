#include "apps/hyperscale/check/check_command.h"
#include "command.h"

#include <memory>

namespace hyperscale::app {

Run add_check_command(Command program) {
  Command command = program.add_subcommand("check", "Show what a workflow file would run, or all errors in it");
  auto options = std::make_shared<CheckOptions>();
  command->add_option("FILE", options->file, "Workflow file")->required();
  command->add_option("--env", options->env, "NAME=VALUE for env() in the file; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--secret", options->secrets, "NAME=VALUE for secret() in the file; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--cores", options->cores, "Number of cores to plan for [all that this process may use]");
  command->add_flag("--json", options->json, "Print one JSON object instead, for scripts");
  command->footer(R"(Nothing is sent. Examples:
  hyperscale check shop.js
  hyperscale check shop.js --cores 24 --json

Exit codes: 0 the file can be run, 2 it has errors.)");
  return [options] { return check_command(*options); };
}

}  // namespace hyperscale::app
