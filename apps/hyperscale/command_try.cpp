#include "apps/hyperscale/run/run_arguments.h"
#include "apps/hyperscale/try/try_command.h"
#include "command.h"

#include <memory>

namespace hyperscale::app {

Run add_try_command(Command program) {
  Command command = program.add_subcommand(
      "try", "Send one request, or run a workflow file for one user once, and show everything about it");
  auto options = std::make_shared<intake::RunOptions>();
  add_request_arguments(command, *options);
  add_file_arguments(command, *options);
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print one JSON object instead, for scripts");
  command->footer(R"(Accepts the request options of `hyperscale run`, to check a request before a load test.

Examples:
  hyperscale try http://localhost:8080/
  hyperscale try --json http://localhost:8080/ | jq '.exchanges[0].phases_ms'
  hyperscale try shop.js
  hyperscale try --json-body '{"a":1}' -H 'X-Key: 7' https://localhost:8443/items -k

Exit codes: 0 answered as expected, 1 not, 2 wrong usage.)");
  return [options, json] { return try_command(*options, "try", *json ? TryOutput::kJson : TryOutput::kText); };
}

}  // namespace hyperscale::app
