#include "command.h"
#include "node_options.h"

#include <memory>
#include <string>

#include <fmt/format.h>

namespace hyperscale::app {
namespace {

constexpr const char* kFooter =
    R"(Precedence: flags, HYPERSCALE_* environment variables, the configuration file, the defaults.
A node of a cluster needs the cluster's secret: cluster.secret_file, or HYPERSCALE_AUTH_SECRET. Gates and managers vote for
their leader: they need cluster.group_size, the number of voters of their group, and cluster.state_dir.

Signals: SIGTERM and SIGINT leave the cluster and drain, a second one aborts; SIGHUP reloads configuration and secrets.

Example:
  hyperscale {0} -c {0}.toml
  hyperscale {0} -c {0}.toml --set cluster.listen=10.0.0.7:7700 --set cluster.seeds=10.0.0.1:7700,10.0.0.2:7700)";

Run add_role(Command program, const char* role, const char* help) {
  Command command = program.add_subcommand(role, help);
  auto launch = std::make_shared<node::NodeLaunch>();
  launch->command = role;
  launch->named.emplace_back("cluster.role", role);
  add_node_options(command, launch);
  const auto value = [&](const char* option, const char* path, const char* type, const char* text) {
    command
        ->add_option_function(
            option, [launch, path](const std::string& given) { launch->named.emplace_back(path, given); }, text)
        ->type_name(type);
  };
  value("--name", "node.name", "NAME", "Name of this node, unique in the cluster [node]");
  value("--listen", "cluster.listen", "IP:PORT", "UDP address at which other nodes reach it [127.0.0.1:7700]");
  value("--seeds", "cluster.seeds", "IP:PORT,...", "Addresses of nodes to contact first");
  value("--dc", "cluster.datacenter", "NAME", "Datacenter [dc1]");
  value("--state-dir", "cluster.state_dir", "DIR", "Folder for the durable state of a voter");
  command->footer(fmt::format(fmt::runtime(kFooter), role));
  return [launch] { return static_cast<int>(node::launch_node(*launch)); };
}

}  // namespace

Run add_gate_command(Command program) {
  return add_role(program, "gate", "Run a gate of a cluster: watches its managers (clusters run no job yet)");
}

Run add_manager_command(Command program) {
  return add_role(program, "manager", "Run a manager of a cluster: watches its workers (clusters run no job yet)");
}

Run add_worker_command(Command program) {
  return add_role(program, "worker", "Run a worker of a cluster (clusters run no job yet)");
}

}  // namespace hyperscale::app
