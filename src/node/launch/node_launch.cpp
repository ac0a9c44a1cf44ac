#include "node/launch/node_launch.h"

#include "node/cluster/cluster_role.h"
#include "node/cluster/cluster_settings.h"
#include "node/cluster/peer_security.h"
#include "node/compute/compute_role.h"
#include "node/executors/machine_limits.h"
#include "node/process/node_process.h"
#include "runtime/config/config_file.h"
#include "runtime/config/config_loader.h"
#include "runtime/config/config_print.h"
#include "runtime/secret/private_folder.h"
#include "runtime/secret/secret_source.h"

#include <cstdio>
#include <cstdlib>
#include <map>

#include <fmt/format.h>
#include <unistd.h>

extern char** environ;

namespace hyperscale::node {
namespace {

ExitCode exit_with(const NodeLaunch& launch, ExitCode code, const std::string& message) {
  fmt::print(stderr, "hyperscale {}: {}\n", launch.command, message);
  return code;
}

// Secrets are not configuration: keep them out of the copied environment.
bool is_secret(std::string_view name) {
  return name == runtime::kAdminTokenVariable || name == kAuthSecretVariable || name == kPreviousAuthSecretVariable ||
         name == kWorkerSecretVariable || name == kPreviousWorkerSecretVariable;
}

std::map<std::string, std::string> environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    const bool ours = name.starts_with(runtime::kEnvironmentPrefix) || name == runtime::kAmnesiaVariable;
    if (equals == std::string_view::npos || !ours || is_secret(name)) continue;
    variables.emplace(name, text.substr(equals + 1));
  }
  return variables;
}

Result<runtime::ConfigInputs> gather(const NodeLaunch& launch) {
  runtime::ConfigInputs inputs;
  inputs.environment = environment();
  inputs.flags = launch.named;
  for (const std::string& set : launch.sets) {
    const auto equals = set.find('=');
    if (equals == std::string::npos)
      return fail(ErrorCode::kInvalidArgument, fmt::format("--set wants key=value, not '{}'", set));
    inputs.flags.emplace_back(set.substr(0, equals), set.substr(equals + 1));
  }
  std::string path = launch.config_path;
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

// Folder of a generated token, if none was given. Empty with amnesia, which writes nothing to disk.
Result<std::string> token_folder(const runtime::NodeConfig& config) {
  if (config.node.amnesia) return std::string();
  if (is_in_cluster(config) && !config.cluster.state_dir.empty()) return config.cluster.state_dir;
  std::string folder = runtime::user_folder_path();
  if (Status opened = runtime::open_private_folder(folder); !opened) {
    return fail(opened.error().code, fmt::format("no folder for the API's token: {}; admin.token_file names a file "
                                                 "that is there",
                                                 opened.error().context));
  }
  return folder;
}

// A worker runs workflows on the cores that its process may use, whatever the size of other pools.
std::uint32_t workflow_cores(wire::NodeRole role) {
  return role == wire::NodeRole::kWorker ? static_cast<std::uint32_t>(usable_cores().size()) : 0;
}

// Fails if the configuration of a role is wrong.
Result<std::vector<RoleMaker>> roles_of(const runtime::NodeConfig& config) {
  std::vector<RoleMaker> roles;
  roles.emplace_back(
      [](NodeParts& parts) -> Result<std::unique_ptr<Role>> { return std::make_unique<ComputeRole>(parts); });
  if (!is_in_cluster(config)) return roles;
  auto settings = cluster_settings(config);
  if (!settings) return fail(settings.error());
  auto peers = peer_security(config);
  if (!peers) return fail(peers.error());
  const std::uint32_t cores = workflow_cores(settings->self.role);
  roles.emplace_back([settings = std::move(*settings), peers = std::move(*peers), cores](NodeParts& parts) {
    return ClusterRole::make(parts, settings, peers, cores);
  });
  return roles;
}

}  // namespace

ExitCode launch_node(const NodeLaunch& launch) {
  auto inputs = gather(launch);
  if (!inputs) return exit_with(launch, ExitCode::kUsage, inputs.error().context);
  const runtime::ConfigLoad load = runtime::load_config(*inputs);
  if (!load.ok()) {
    fmt::print(stderr, "hyperscale {}: the configuration has {} error{}\n{}", launch.command, load.errors.size(),
               load.errors.size() == 1 ? "" : "s", runtime::render_errors(load.errors));
    return ExitCode::kUsage;
  }
  if (launch.print_config) {
    fmt::print("{}", runtime::print_config(load.config, load.origins));
    return ExitCode::kOk;
  }
  auto token = admin_token(load.config);
  if (!token) return exit_with(launch, ExitCode::kUsage, token.error().context);
  auto roles = roles_of(load.config);
  if (!roles) return exit_with(launch, ExitCode::kUsage, roles.error().context);
  if (launch.check_only) {
    fmt::print("configuration ok\n");
    return ExitCode::kOk;
  }
  NodeSetup setup;
  if (!*token) {
    auto folder = token_folder(load.config);
    if (!folder) return exit_with(launch, ExitCode::kFailed, folder.error().context);
    setup.token_folder = std::move(*folder);
  }
  setup.config = load.config;
  setup.inputs = std::move(*inputs);
  setup.admin_token = std::move(*token);
  setup.roles = std::move(*roles);
  setup.log.level = *runtime::parse_log_level(load.config.log.level);
  setup.log.format = *runtime::parse_log_format(load.config.log.format);
  setup.log.file = load.config.log.file;
  auto process = NodeProcess::create(std::move(setup));
  if (!process) return exit_with(launch, ExitCode::kFailed, process.error().context);
  const ExitCode code = (*process)->run();
  // Threads that could not be stopped still use the node's parts: nothing may be destroyed under them.
  if ((*process)->left_behind()) std::_Exit(static_cast<int>(code));
  return code;
}

}  // namespace hyperscale::node
