#include "command.h"
#include "node/control/control_client.h"

#include <memory>
#include <string>
#include <vector>

namespace hyperscale::app {

Run add_ctl_command(Command program) {
  Command command = program.add_subcommand("ctl", "Ask, change or stop a run that is under way on this machine");
  auto words = std::make_shared<std::vector<std::string>>();
  auto options = std::make_shared<node::ControlOptions>();
  command
      ->add_option("ACTION", *words,
                   "status, vus=N, rate=N, pause, resume, stop, list or token; before it a run id [the newest run]")
      ->required()
      ->expected(1, 2)
      ->type_name("");
  command->add_option("--workflow", options->workflow, "Of several workflows: the one that is to be changed or stopped")
      ->type_name("NAME");
  command
      ->add_option("--basis", options->basis_tick,
                   "The tick of the status that a change rests on; it is refused when the run is far past it")
      ->check(whole_number(0, INT64_MAX))
      ->type_name("TICK");
  command->footer(R"(Examples:
  hyperscale ctl list                              ids of all runs of this user
  hyperscale ctl status                            figures of the newest one, as JSON
  hyperscale ctl vus=200                           so many users from now on; with a rate: at most so many busy
  hyperscale ctl rate=5000                         so many per second from now on; also 90/m
  hyperscale ctl pause                             nothing begins and the time of the run stands still, until resume
  hyperscale ctl token                             the token that the API of the newest one asks for
  hyperscale ctl 1763251200000-1a2b3c4d stop       stop that run in order
  hyperscale ctl stop --workflow Checkout          stop one workflow of the newest run; the others go on)");
  return [words, options] {
    options->action = words->back();
    if (words->size() == 2) options->run = words->front();
    return node::control_command(*options);
  };
}

}  // namespace hyperscale::app
