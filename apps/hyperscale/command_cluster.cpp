#include "command.h"
#include "node/fleet/cluster_command.h"

#include <memory>

namespace hyperscale::app {

Run add_cluster_command(Command program) {
  Command command = program.add_subcommand("cluster", "Run a cluster of real nodes on this machine, for trials");
  command->require_subcommand(1);
  auto options = std::make_shared<node::ClusterOptions>();
  const auto action = [&](const char* name, const char* help) {
    Command sub = command->add_subcommand(name, help);
    sub->add_option("--state-dir", options->state_dir, "Folder of the cluster [~/.local/state/hyperscale/cluster]")
        ->type_name("DIR");
    sub->callback([options, name] { options->action = name; });
    return sub;
  };
  const auto with_names = [&](Command sub) {
    sub->add_option("NODE", options->names, "Node names, such as dc1-manager-2")->required()->type_name("");
  };
  Command up = action("up", "Start gates, managers and workers and wait until all answer");
  up->add_option("--gates", options->shape.gates, "Gates [1]")->type_name("N");
  up->add_option("--dcs", options->shape.datacenters, "Datacenters [1]")->type_name("N");
  up->add_option("--managers", options->shape.managers, "Managers per datacenter [3]")->type_name("N");
  up->add_option("--workers", options->shape.workers, "Workers per datacenter [2]")->type_name("N");
  up->add_option("--probe-interval", options->probe_interval, "Time between probes; timings scale with it [200ms]")
      ->type_name("TIME");
  up->add_flag("--tls", options->shape.tls, "Create certificates and use TLS between nodes");
  up->add_flag("--json", options->json, "Print the nodes as JSON");
  Command status = action("status", "Show nodes, how the other nodes see them, and leaders");
  status->add_flag("--json", options->json, "Print the complete status of each node as JSON");
  with_names(action("kill", "Kill nodes (SIGKILL)"));
  with_names(action("pause", "Pause nodes (SIGSTOP)"));
  with_names(action("resume", "Resume paused nodes (SIGCONT)"));
  with_names(action("start", "Start nodes that are not running"));
  with_names(action("partition", "Cut nodes off from all others"));
  action("heal", "End all partitions and pauses");
  action("down", "Stop all nodes and remove the folder");
  command->footer(R"(Examples:
  hyperscale cluster up --gates 3 --dcs 2 --managers 3 --workers 2
  hyperscale cluster up --tls
  hyperscale cluster status
  hyperscale cluster kill dc1-manager-1
  hyperscale cluster partition gate-1
  hyperscale cluster heal
  hyperscale cluster down)");
  return [options] { return node::cluster_command(*options); };
}

}  // namespace hyperscale::app
