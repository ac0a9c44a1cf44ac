#include "command.h"
#include "node/control/control_client.h"

#include <memory>
#include <string>
#include <vector>

namespace hyperscale::app {

Run add_ctl_command(Command program) {
  Command command = program.add_subcommand("ctl", "Query, change or stop a run on this machine");
  auto words = std::make_shared<std::vector<std::string>>();
  auto options = std::make_shared<node::ControlOptions>();
  command
      ->add_option("ACTION", *words,
                   "status, vus=N, rate=N, pause, resume, stop, list or token; a run id may precede it [newest run]")
      ->required()
      ->expected(1, 2)
      ->type_name("");
  command->add_option("--workflow", options->workflow, "Workflow to change or stop, if there are several")
      ->type_name("NAME");
  command
      ->add_option("--basis", options->basis_tick,
                   "Tick of the status that the change is based on; the change is refused if the run is far past it")
      ->check(whole_number(0, INT64_MAX))
      ->type_name("TICK");
  command->footer(R"(Examples:
  hyperscale ctl list                              ids of all runs of this user
  hyperscale ctl status                            status of the newest run, as JSON
  hyperscale ctl vus=200                           set the number of users; with a rate: the maximum busy at once
  hyperscale ctl rate=5000                         set the rate per second; also 90/m
  hyperscale ctl pause                             start nothing new and stop the clock of the run, until resume
  hyperscale ctl token                             API token of the newest run
  hyperscale ctl 1763251200000-1a2b3c4d stop       stop that run in order
  hyperscale ctl stop --workflow Checkout          stop one workflow of the newest run; the others continue)");
  return [words, options] {
    options->action = words->back();
    if (words->size() == 2) options->run = words->front();
    return node::control_command(*options);
  };
}

}  // namespace hyperscale::app
