#include "apps/hyperscale/command_line/command_line.h"
#include "command.h"
#include "node/process/build_info.h"

#include <csignal>
#include <map>
#include <string>

namespace {

constexpr const char* kFooter = R"(Examples:
  hyperscale run http://localhost:8080/    load-test a URL with 10 users for 10 seconds
  hyperscale try http://localhost:8080/    send one request and show it in full
  hyperscale target                        a fast test server for trials
  hyperscale node                          a node with default settings, on loopback
  hyperscale node -c node.toml             the same from a configuration file
  hyperscale node --check -c node.toml     only check the file
  hyperscale node --help                   all options of a command
  hyperscale cluster up                    a cluster of real nodes on this machine

Exit codes: 0 ok, 1 failed, 2 wrong usage or configuration, 3 stopped with aborted tasks, 99 a threshold of a run failed,
130 aborted by a second signal.)";

}  // namespace

int main(int argc, char** argv) {
  // A closed peer must fail one write, not kill the process.
  std::signal(SIGPIPE, SIG_IGN);

  hyperscale::app::Program line(
      "hyperscale",
      "Hyperscale puts load on HTTP servers from every core of this machine and reports how they answered.", kFooter,
      "hyperscale " + hyperscale::node::version_text());
  hyperscale::app::Command program = line.root();
  program.require_subcommand(1);

  std::map<std::string, hyperscale::app::Run> commands;
  commands["check"] = hyperscale::app::add_check_command(program);
  commands["cluster"] = hyperscale::app::add_cluster_command(program);
  commands["ctl"] = hyperscale::app::add_ctl_command(program);
  commands["executor"] = hyperscale::app::add_executor_command(program);
  commands["gate"] = hyperscale::app::add_gate_command(program);
  commands["manager"] = hyperscale::app::add_manager_command(program);
  commands["new"] = hyperscale::app::add_new_command(program);
  commands["node"] = hyperscale::app::add_node_command(program);
  commands["ping"] = hyperscale::app::add_ping_command(program);
  commands["run"] = hyperscale::app::add_run_command(program);
  commands["sim"] = hyperscale::app::add_sim_command(program);
  commands["stream"] = hyperscale::app::add_stream_command(program);
  commands["target"] = hyperscale::app::add_target_command(program);
  commands["try"] = hyperscale::app::add_try_command(program);
  commands["version"] = hyperscale::app::add_version_command(program);
  commands["worker"] = hyperscale::app::add_worker_command(program);

  if (const auto code = line.parse(argc, argv)) return *code;
  return commands.at(program.chosen())();
}
