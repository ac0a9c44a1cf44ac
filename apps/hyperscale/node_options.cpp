#include "node_options.h"

#include <string>

namespace hyperscale::app {

void add_node_options(Command command, const std::shared_ptr<node::NodeLaunch>& launch) {
  command.add_option("-c,--config", launch->config_path, "Configuration file (TOML); also HYPERSCALE_CONFIG")
      ->type_name("FILE");
  command.add_option("--set", launch->sets, "Set any configuration key; may be repeated")->type_name("KEY=VALUE");
  const auto value = [&](const char* option, const char* path, const char* type, const char* help) {
    command
        .add_option_function(
            option, [launch, path](const std::string& text) { launch->named.emplace_back(path, text); }, help)
        ->type_name(type);
  };
  const auto flag = [&](const char* option, const char* path, const char* help) {
    command.add_flag_callback(option, [launch, path] { launch->named.emplace_back(path, "true"); }, help);
  };
  value("--api", "api.listen", "HOST:PORT", "Where the HTTP API listens [127.0.0.1:8080]");
  value("--metrics", "metrics.listen", "HOST:PORT", "Where /metrics, /healthz and /readyz are served [127.0.0.1:9600]");
  value("--transport", "transport.listen", "HOST:PORT", "Where the framed transport listens [127.0.0.1:7600]");
  value("--threads", "node.threads", "N", "Event-loop threads [one per CPU]");
  value("--workers", "node.workers", "N", "Pool workers that run compute jobs [one per CPU]");
  value("--drain-deadline", "drain.deadline", "DURATION", "How long a shutdown may take [3s, at most 5s]");
  value("--log-level", "log.level", "LEVEL", "trace, debug, info, warn or error [info]");
  value("--log-format", "log.format", "FORMAT", "text or json [text]");
  flag("--single-thread", "node.single_thread", "Run all tasks on one thread");
  flag("--amnesia", "node.amnesia", "Write nothing to disk and wipe memory on release; also AMNESIA=1");
  command.add_flag("--check", launch->check_only, "Only check the configuration");
  command.add_flag("--print-config", launch->print_config,
                   "Print the effective configuration and the source of each value");
}

}  // namespace hyperscale::app
