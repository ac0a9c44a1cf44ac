#include "command.h"
#include "sim/cluster/cluster_binding.h"
#include "sim/run/sim_command.h"

#include <memory>

namespace hyperscale::app {

Run add_sim_command(Command program) {
  Command command = program.add_subcommand("sim", "Simulate a cluster under faults, in virtual time");
  auto options = std::make_shared<sim::SimOptions>();
  command->add_option("--seed", options->seed, "Run this seed only")->type_name("N");
  command->add_option("--seeds", options->seeds, "Run these seeds [1..20]")->type_name("N..M");
  command->add_option("--scenario", options->scenario, "Scenario name or file [random faults]")->type_name("NAME");
  command->add_option("--time", options->time, "Virtual time of each run [10m, or that of the scenario]")
      ->type_name("TIME");
  command->add_option("--nodes", options->nodes, "Machines [gates=3,dcs=2,managers=3,workers=4]")->type_name("LIST");
  command->add_option("--mutate", options->mutate, "Plant a bug in every node; 'list' shows them")->type_name("NAME");
  command->add_option("--scale", options->scale, "Measure detection and traffic of clusters of these sizes instead")
      ->type_name("N,N");
  command->add_option("--jobs", options->jobs, "Threads; each runs its own seeds [one per core]")->type_name("N");
  command->add_flag("--trace", options->trace, "Print all events of one seed");
  command->add_flag("--once", options->once, "Run each seed once instead of twice");
  command->add_flag("--keep-going", options->keep_going, "Continue after a failed seed");
  command->add_flag("--list", options->list, "Show the scenarios");
  command->add_flag("--json", options->json, "Print one JSON object instead, for scripts");
  command->footer(
      R"(Every node runs production code; clocks, network and disks are virtual. The seed determines everything, so
failures are reproducible: each prints the checker, the virtual time and the command that replays it. Each seed
runs twice, and both runs must be the same.

Examples:
  hyperscale sim --seeds 1..2000
  hyperscale sim --scenario leader_paused --seed 7 --trace
  hyperscale sim --nodes gates=5,dcs=1 --time 1h
  hyperscale sim --mutate vote_twice
  hyperscale sim --scale 10,30,100,300,1000

Exit codes: 0 every seed passed, 1 a checker found an error, 2 wrong usage, 130 stopped with Ctrl-C (prints the results so far).)");
  return [options] { return sim::sim_command(*options, sim::cluster_binding()); };
}

}  // namespace hyperscale::app
