#include "apps/hyperscale/new/new_command.h"
#include "command.h"

#include <memory>
#include <string>

namespace hyperscale::app {

Run add_new_command(Command program) {
  Command command = program.add_subcommand("new", "Write a starter workflow file, and types for editors");
  auto file = std::make_shared<std::string>();
  auto force = std::make_shared<bool>(false);
  command->add_option("FILE", *file, "File to write; hyperscale.d.ts is written beside it")->required();
  command->add_flag("--force", *force, "Replace an existing file");
  command->footer("Example:\n  hyperscale new shop.js");
  return [file, force] { return new_command(*file, *force); };
}

}  // namespace hyperscale::app
