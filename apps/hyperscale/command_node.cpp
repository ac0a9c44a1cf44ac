#include "command.h"
#include "node_options.h"

#include <memory>

namespace hyperscale::app {

Run add_node_command(Command program) {
  Command command = program.add_subcommand("node", "Run a node without a role: API, framed transport, metrics");
  auto launch = std::make_shared<node::NodeLaunch>();
  add_node_options(command, launch);
  command->footer(R"(Precedence: flags, HYPERSCALE_* environment variables, the configuration file, the defaults.
Routes under /api need a token: from HYPERSCALE_ADMIN_TOKEN or admin.token_file, or generated at start. The log names its
file, such as $XDG_RUNTIME_DIR/hyperscale-UID/node-127.0.0.1-8080.token (/tmp without that variable). TOKEN=$(cat FILE), then
  curl -H "Authorization: Bearer $TOKEN" --json '{"job":"echo","data":"x"}' 127.0.0.1:8080/api/v1/compute

Signals: SIGTERM and SIGINT drain, a second one aborts; SIGHUP reloads the configuration file.

Examples:
  hyperscale node
  hyperscale node -c node.toml --log-format json
  hyperscale node --api 127.0.0.1:0 --set api.deadline=500ms
  hyperscale node -c node.toml --print-config)");
  return [launch] { return static_cast<int>(node::launch_node(*launch)); };
}

}  // namespace hyperscale::app
