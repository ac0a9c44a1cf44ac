#include "command.h"
#include "node/node_process.h"
#include "runtime/config/config_file.h"
#include "runtime/config/config_loader.h"
#include "runtime/config/config_print.h"
#include "runtime/secret/secret_source.h"

#include <cstdio>
#include <cstdlib>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

extern char** environ;

namespace hyperscale::app {
namespace {

using node::ExitCode;

struct NodeFlags {
  std::string config_path;
  std::vector<std::string> sets;
  std::vector<std::pair<std::string, std::string>> named;  // path -> value
  bool check_only = false;
  bool print_config = false;
};

int exit_with(ExitCode code, const std::string& message) {
  fmt::print(stderr, "hyperscale node: {}\n", message);
  return static_cast<int>(code);
}

std::map<std::string, std::string> environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    const bool ours = name.starts_with(runtime::kEnvironmentPrefix) || name == runtime::kAmnesiaVariable;
    // The token is not configuration and must not be copied about.
    if (equals == std::string_view::npos || !ours || name == runtime::kAdminTokenVariable) continue;
    variables.emplace(name, text.substr(equals + 1));
  }
  return variables;
}

Result<runtime::ConfigInputs> gather(const NodeFlags& flags) {
  runtime::ConfigInputs inputs;
  inputs.environment = environment();
  inputs.flags = flags.named;
  for (const std::string& set : flags.sets) {
    const auto equals = set.find('=');
    if (equals == std::string::npos)
      return fail(ErrorCode::kInvalidArgument, fmt::format("--set wants key=value, not '{}'", set));
    inputs.flags.emplace_back(set.substr(0, equals), set.substr(equals + 1));
  }
  std::string path = flags.config_path;
  if (const auto named = inputs.environment.find(std::string(runtime::kConfigPathVariable));
      path.empty() && named != inputs.environment.end()) {
    path = named->second;
  }
  if (path.empty()) return inputs;
  auto text = runtime::read_config_file(path);
  if (!text) return fail(text.error());
  inputs.file_path = path;
  inputs.file_text = std::move(*text);
  return inputs;
}

Result<runtime::SecretHandle> admin_token(const runtime::NodeConfig& config) {
  auto from_environment = runtime::take_secret_from_environment(std::string(runtime::kAdminTokenVariable).c_str());
  if (!from_environment || *from_environment) return from_environment;
  if (config.admin.token_file.empty()) return runtime::SecretHandle{};
  return runtime::read_secret_file(config.admin.token_file);
}

int run_node(const NodeFlags& flags) {
  auto inputs = gather(flags);
  if (!inputs) return exit_with(ExitCode::kUsage, inputs.error().context);
  const runtime::ConfigLoad load = runtime::load_config(*inputs);
  if (!load.ok()) {
    fmt::print(stderr, "hyperscale node: the configuration has {} error{}\n{}", load.errors.size(),
               load.errors.size() == 1 ? "" : "s", runtime::render_errors(load.errors));
    return static_cast<int>(ExitCode::kUsage);
  }
  if (flags.print_config) {
    fmt::print("{}", runtime::print_config(load.config, load.origins));
    return 0;
  }
  auto token = admin_token(load.config);
  if (!token) return exit_with(ExitCode::kUsage, token.error().context);
  if (flags.check_only) {
    fmt::print("configuration ok\n");
    return 0;
  }
  node::NodeSetup setup;
  setup.config = load.config;
  setup.inputs = std::move(*inputs);
  setup.admin_token = std::move(*token);
  setup.log.level = *runtime::parse_log_level(load.config.log.level);
  setup.log.format = *runtime::parse_log_format(load.config.log.format);
  setup.log.file = load.config.log.file;
  auto process = node::NodeProcess::create(std::move(setup));
  if (!process) return exit_with(ExitCode::kFailed, process.error().context);
  const ExitCode code = (*process)->run();
  // Threads that could not be stopped still use the node's parts: nothing may be destroyed under them.
  if ((*process)->left_behind()) std::_Exit(static_cast<int>(code));
  return static_cast<int>(code);
}

}  // namespace

Run add_node_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("node", "Run a node without a role: API, framed transport, metrics");
  auto flags = std::make_shared<NodeFlags>();
  command->add_option("-c,--config", flags->config_path, "Configuration file (TOML); also HYPERSCALE_CONFIG")
      ->type_name("FILE");
  command->add_option("--set", flags->sets, "Set any configuration key; may be repeated")->type_name("KEY=VALUE");
  const auto value = [&](const char* option, const char* path, const char* type, const char* help) {
    command
        ->add_option_function<std::string>(
            option, [flags, path](const std::string& text) { flags->named.emplace_back(path, text); }, help)
        ->type_name(type);
  };
  const auto flag = [&](const char* option, const char* path, const char* help) {
    command->add_flag_callback(option, [flags, path] { flags->named.emplace_back(path, "true"); }, help);
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
  command->add_flag("--check", flags->check_only, "Only check the configuration");
  command->add_flag("--print-config", flags->print_config,
                    "Print the effective configuration and where each value is from");
  command->footer(R"(Flags beat HYPERSCALE_* environment variables, which beat the file, which beats the defaults.
The admin token comes from HYPERSCALE_ADMIN_TOKEN or admin.token_file; without one, admin routes answer on loopback only.

Signals: SIGTERM and SIGINT drain, a second one aborts; SIGHUP reloads the configuration file.

Examples:
  hyperscale node
  hyperscale node -c node.toml --log-format json
  hyperscale node --api 127.0.0.1:0 --set api.deadline=500ms
  hyperscale node -c node.toml --print-config)");
  return [flags] { return run_node(*flags); };
}

}  // namespace hyperscale::app
