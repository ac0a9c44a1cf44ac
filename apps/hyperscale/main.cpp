#include "base/nearest_match.h"
#include "command.h"
#include "node/build_info.h"
#include "node/exit_code.h"

#include <csignal>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

constexpr const char* kFooter = R"(Examples:
  hyperscale node                          a node with default settings, on loopback
  hyperscale node -c node.toml             the same from a configuration file
  hyperscale node --check -c node.toml     only check the file
  hyperscale node --help                   all options of a command

Exit codes: 0 ok, 1 failed, 2 wrong usage or configuration, 3 stopped with aborted tasks, 130 aborted by a second signal.)";

// CLI11 calls every stray word a missing command; a typo deserves a better answer.
bool is_unknown_command(int argc, char** argv, const std::map<std::string, hyperscale::app::Run>& commands) {
  if (argc < 2 || argv[1][0] == '-' || commands.contains(argv[1])) return false;
  std::vector<std::string> known;
  known.reserve(commands.size());
  for (const auto& [name, run] : commands) known.push_back(name);
  const auto close = hyperscale::nearest_match(argv[1], known);
  fmt::print(stderr, "hyperscale: unknown command '{}'{}\nRun 'hyperscale --help' for the list.\n", argv[1],
             close ? fmt::format("; did you mean '{}'?", *close) : "");
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  using hyperscale::node::ExitCode;
  // A peer that goes away must be an error of one write, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);

  CLI::App program{"Hyperscale load-tests anything, from one core of a laptop to many datacenters."};
  program.name("hyperscale");
  program.footer(kFooter);
  program.set_version_flag("--version", "hyperscale " + hyperscale::node::version_text());
  program.require_subcommand(1);
  program.failure_message(CLI::FailureMessage::simple);

  std::map<std::string, hyperscale::app::Run> commands;
  commands["node"] = hyperscale::app::add_node_command(program);
  commands["version"] = hyperscale::app::add_version_command(program);

  if (is_unknown_command(argc, argv, commands)) return static_cast<int>(ExitCode::kUsage);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = program.exit(error);
    return code == 0 ? 0 : static_cast<int>(ExitCode::kUsage);
  }
  return commands.at(program.get_subcommands().front()->get_name())();
}
