#include "apps/hyperscale/command_line/command_line.h"

#include "base/exit_code.h"
#include "base/nearest_match.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace hyperscale::app {
namespace {

std::vector<std::string> command_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* each : command.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(each->get_name());
  return names;
}

// CLI11 reports an unknown command as a missing one; this suggests the nearest command instead.
bool is_unknown_command(const CLI::App& program, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  const std::vector<std::string> known = command_names(program);
  if (known.empty() || std::ranges::find(known, argv[1]) != known.end()) return false;
  const auto close = nearest_match(argv[1], known);
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

// The error in the words after a command, in one sentence.
std::string usage_error(const CLI::App& command, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = command.remaining();
  const std::vector<std::string> inner = command_names(command);
  if (!inner.empty()) {
    return fmt::format("{} one of {}", unknown.empty() ? "say" : fmt::format("'{}' is not", unknown.front()),
                       fmt::join(inner, ", "));
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || unknown.empty()) return error.what();
  const std::string& word = unknown.front();
  if (!word.starts_with('-')) return fmt::format("'{}' is one word too many", word);
  const std::string name = word.substr(0, word.find('='));
  const auto close = nearest_match(name, option_names(command));
  return fmt::format("unknown option '{}'{}", name, close ? fmt::format("; did you mean '{}'?", *close) : "");
}

// The innermost chosen command: `smtp` of `ping smtp`, which has its own options.
const CLI::App& innermost(const CLI::App& command) {
  const auto chosen = command.get_subcommands();
  return chosen.empty() ? command : innermost(*chosen.front());
}

CLI::Validator validator_of(WholeNumber bounds) {
  return {[bounds](const std::string& text) -> std::string {
            std::uint64_t value = 0;
            const char* const end = text.data() + text.size();
            const auto read = std::from_chars(text.data(), end, value);
            if (read.ec == std::errc() && read.ptr == end && value >= bounds.least && value <= bounds.most) return "";
            return fmt::format("\"{}\" is not a whole number from {} to {}", text, bounds.least, bounds.most);
          },
          ""};
}

}  // namespace

Option Option::type_name(const std::string& text) {
  return Option(option_->type_name(text));
}

Option Option::group(const std::string& name) {
  return Option(option_->group(name));
}

Option Option::required() {
  return Option(option_->required());
}

Option Option::expected(int least, int most) {
  return Option(option_->expected(least, most));
}

Option Option::allow_extra_args(bool allowed) {
  return Option(option_->allow_extra_args(allowed));
}

Option Option::check(WholeNumber bounds) {
  return Option(option_->check(validator_of(bounds)));
}

Command Command::add_subcommand(const std::string& name, const std::string& help) {
  return Command(app_->add_subcommand(name, help));
}

template <typename T>
Option Command::add_option(const std::string& names, T& into, const std::string& help) {
  return Option(app_->add_option(names, into, help));
}
template Option Command::add_option(const std::string&, std::string&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::add_option(const std::string&, int&, const std::string&);
template Option Command::add_option(const std::string&, std::int64_t&, const std::string&);
template Option Command::add_option(const std::string&, std::uint32_t&, const std::string&);
template Option Command::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<std::uint16_t>&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<std::uint32_t>&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<std::uint64_t>&, const std::string&);

Option Command::add_option_function(const std::string& names, const std::function<void(const std::string&)>& take,
                                    const std::string& help) {
  return Option(app_->add_option_function<std::string>(names, take, help));
}

Option Command::add_flag(const std::string& names, bool& into, const std::string& help) {
  return Option(app_->add_flag(names, into, help));
}

Option Command::add_flag_callback(const std::string& names, const std::function<void()>& given,
                                  const std::string& help) {
  return Option(app_->add_flag_callback(names, given, help));
}

Command Command::footer(const std::string& text) {
  return Command(app_->footer(text));
}

Command Command::group(const std::string& name) {
  return Command(app_->group(name));
}

Command Command::require_subcommand(int count) {
  return Command(app_->require_subcommand(count));
}

Command Command::callback(const std::function<void()>& chosen) {
  return Command(app_->callback(chosen));
}

std::string Command::chosen() const {
  return app_->get_subcommands().front()->get_name();
}

Program::Program(const std::string& name, const std::string& help, const std::string& footer,
                 const std::string& version)
    : app_(std::make_unique<CLI::App>(help)) {
  app_->name(name);
  app_->footer(footer);
  app_->set_version_flag("--version", version);
  app_->failure_message(CLI::FailureMessage::simple);
}

Program::~Program() = default;

Command Program::root() {
  return Command(app_.get());
}

std::string Program::help() const {
  return app_->help();
}

std::optional<int> Program::parse(int argc, const char* const* argv) {
  constexpr int kUsage = static_cast<int>(ExitCode::kUsage);
  if (is_unknown_command(*app_, argc, argv)) return kUsage;
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const auto chosen = app_->get_subcommands();
    if (error.get_exit_code() == 0 || chosen.empty()) return app_->exit(error) == 0 ? 0 : kUsage;
    fmt::print(stderr, "hyperscale {}: {}\n", chosen.front()->get_name(), usage_error(innermost(*app_), error));
    return kUsage;
  }
  return std::nullopt;
}

}  // namespace hyperscale::app
