#include "command.h"
#include "node/exit_code.h"
#include "node/run/control_client.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace hyperscale::app {
namespace {

constexpr std::array<std::string_view, 3> kActions = {"status", "stop", "list"};

int control(const std::vector<std::string>& words) {
  if (std::ranges::find(kActions, words.back()) == kActions.end()) {
    fmt::print(stderr, "hyperscale ctl: '{}' is not one of status, stop, list\n", words.back());
    return static_cast<int>(node::ExitCode::kUsage);
  }
  return node::control_command(words.size() == 2 ? words.front() : "", words.back());
}

}  // namespace

Run add_ctl_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("ctl", "Ask or stop a run that is under way on this machine");
  auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("ACTION", *words, "status, stop or list; before it a run id [the newest run]")
      ->required()
      ->expected(1, 2)
      ->type_name("");
  command->footer(R"(Examples:
  hyperscale ctl list                              ids of all runs of this user
  hyperscale ctl status                            figures of the newest one, as JSON
  hyperscale ctl 1763251200000-1a2b3c4d stop       stop that one in order)");
  return [words] { return control(*words); };
}

}  // namespace hyperscale::app
