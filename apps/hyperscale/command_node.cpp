#include "command.h"
#include "node_options.h"

#include <memory>

#include <CLI/CLI.hpp>

namespace hyperscale::app {

Run add_node_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("node", "Run a node without a role: API, framed transport, metrics");
  auto launch = std::make_shared<node::NodeLaunch>();
  add_node_options(*command, launch);
  command->footer(R"(Flags beat HYPERSCALE_* environment variables, which beat the file, which beats the defaults.
The admin token comes from HYPERSCALE_ADMIN_TOKEN or admin.token_file; without one, admin routes answer on loopback only.

Signals: SIGTERM and SIGINT drain, a second one aborts; SIGHUP reloads the configuration file.

Examples:
  hyperscale node
  hyperscale node -c node.toml --log-format json
  hyperscale node --api 127.0.0.1:0 --set api.deadline=500ms
  hyperscale node -c node.toml --print-config)");
  return [launch] { return static_cast<int>(node::launch_node(*launch)); };
}

}  // namespace hyperscale::app
