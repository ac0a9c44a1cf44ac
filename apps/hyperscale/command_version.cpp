#include "command.h"
#include "node/process/build_info.h"

#include <memory>

#include <fmt/format.h>

namespace hyperscale::app {

Run add_version_command(Command program) {
  Command command = program.add_subcommand("version", "Print version, commit and compiler of this binary");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print as one JSON object");
  return [json] {
    if (*json) {
      fmt::print("{}\n", node::version_json());
    } else {
      fmt::print("hyperscale {} ({}, {})\nscripts are confined by {} on this machine\n", node::version_text(),
                 node::git_commit(), node::compiler_text(), node::sandbox_text());
    }
    return 0;
  };
}

}  // namespace hyperscale::app
