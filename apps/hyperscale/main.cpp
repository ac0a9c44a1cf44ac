#include "base/exit_code.h"
#include "base/nearest_match.h"
#include "command.h"
#include "node/process/build_info.h"

#include <csignal>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

constexpr const char* kFooter = R"(Examples:
  hyperscale run http://localhost:8080/    load-test a URL with 10 users for 10 seconds
  hyperscale try http://localhost:8080/    send one request and show everything about it
  hyperscale target                        a fast server to try it on
  hyperscale node                          a node with default settings, on loopback
  hyperscale node -c node.toml             the same from a configuration file
  hyperscale node --check -c node.toml     only check the file
  hyperscale node --help                   all options of a command
  hyperscale cluster up                    a cluster of real nodes on this machine

Exit codes: 0 ok, 1 failed, 2 wrong usage or configuration, 3 stopped with aborted tasks, 99 a threshold of a run failed,
130 aborted by a second signal.)";

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

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// What is wrong with the words after a command, in one sentence.
std::string usage_error(const CLI::App& command, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = command.remaining();
  std::vector<std::string> inner;
  for (const CLI::App* each : command.get_subcommands([](const CLI::App*) { return true; }))
    inner.push_back(each->get_name());
  if (!inner.empty()) {
    return fmt::format("{} one of {}", unknown.empty() ? "say" : fmt::format("'{}' is not", unknown.front()),
                       fmt::join(inner, ", "));
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || unknown.empty()) return error.what();
  const std::string& word = unknown.front();
  if (!word.starts_with('-')) return fmt::format("'{}' is one word too many", word);
  const std::string name = word.substr(0, word.find('='));
  const auto close = hyperscale::nearest_match(name, option_names(command));
  return fmt::format("unknown option '{}'{}", name, close ? fmt::format("; did you mean '{}'?", *close) : "");
}

// `ping smtp` is a command of a command, with options of its own.
const CLI::App& innermost(const CLI::App& command) {
  const auto chosen = command.get_subcommands();
  return chosen.empty() ? command : innermost(*chosen.front());
}

}  // namespace

int main(int argc, char** argv) {
  using hyperscale::ExitCode;
  // A peer that goes away must be an error of one write, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);

  CLI::App program{
      "Hyperscale puts load on HTTP servers from every core of this machine and reports how they answered."};
  program.name("hyperscale");
  program.footer(kFooter);
  program.set_version_flag("--version", "hyperscale " + hyperscale::node::version_text());
  program.require_subcommand(1);
  program.failure_message(CLI::FailureMessage::simple);

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

  if (is_unknown_command(argc, argv, commands)) return static_cast<int>(ExitCode::kUsage);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const auto chosen = program.get_subcommands();
    if (error.get_exit_code() == 0 || chosen.empty()) {
      return program.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::kUsage);
    }
    fmt::print(stderr, "hyperscale {}: {}\n", chosen.front()->get_name(), usage_error(innermost(program), error));
    return static_cast<int>(ExitCode::kUsage);
  }
  return commands.at(program.get_subcommands().front()->get_name())();
}
