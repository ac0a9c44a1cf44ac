#include "command.h"
#include "node/node_launch.h"

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

namespace hyperscale::app {

Run add_node_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("node", "Run a node without a role: API, framed transport, metrics");
  auto launch = std::make_shared<node::NodeLaunch>();
  command->add_option("-c,--config", launch->config_path, "Configuration file (TOML); also HYPERSCALE_CONFIG")
      ->type_name("FILE");
  command->add_option("--set", launch->sets, "Set any configuration key; may be repeated")->type_name("KEY=VALUE");
  const auto value = [&](const char* option, const char* path, const char* type, const char* help) {
    command
        ->add_option_function<std::string>(
            option, [launch, path](const std::string& text) { launch->named.emplace_back(path, text); }, help)
        ->type_name(type);
  };
  const auto flag = [&](const char* option, const char* path, const char* help) {
    command->add_flag_callback(option, [launch, path] { launch->named.emplace_back(path, "true"); }, help);
  };
  value("--api", "api.listen", "HOST:PORT", "Where the HTTP API listens [127.0.0.1:8080]");
  value("--metrics", "metrics.listen", "HOST:PORT", "Where /metrics, /healthz and /readyz are served [127.0.0.1:9600]");
  value("--transport", "transport.listen", "HOST:PORT", "Where the framed transport listens [127.0.0.1:7600]");
  value("--threads", "node.threads", "N", "Event-loop threads [one per CPU]");
  value("--workers", "node.workers", "N", "Workers that run jobs [one per CPU]");
  value("--drain-deadline", "drain.deadline", "DURATION", "How long a shutdown may take [3s, at most 5s]");
  value("--log-level", "log.level", "LEVEL", "trace, debug, info, warn or error [info]");
  value("--log-format", "log.format", "FORMAT", "text or json [text]");
  flag("--single-thread", "node.single_thread", "Run all tasks on one thread");
  flag("--amnesia", "node.amnesia", "Write nothing to disk and wipe all memory of the past; also AMNESIA=1");
  command->add_flag("--check", launch->check_only, "Only check the configuration");
  command->add_flag("--print-config", launch->print_config,
                    "Print the effective configuration and where each value is from");
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
