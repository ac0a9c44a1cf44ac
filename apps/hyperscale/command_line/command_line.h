// The command line of the program: commands, their options and --help, on CLI11. CLI11 is one large header that is slow
// to compile, so only command_line.cpp includes it.
//
//   Program program("hyperscale", "Puts load on servers.", kFooter, "0.1.0");
//   Command run = program.root().add_subcommand("run", "Load-test a URL");
//   run->add_option("--cores", options->cores, "Executor processes [all]")->type_name("N");
//   if (const auto code = program.parse(argc, argv)) return *code;
//
// Commands and options are handles of the program and as cheap as pointers; `.` and `->` are the same. The variable of
// an option must outlive parse(). Thread rule: the main thread. Failure: parse() prints the error, with the nearest
// option or command, and returns the exit code for wrong usage.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace hyperscale::app {

// Digits only, within bounds. Without this check CLI11 parses a negative number as a huge one.
struct WholeNumber {
  std::uint64_t least;
  std::uint64_t most;
};
inline WholeNumber whole_number(std::uint64_t least, std::uint64_t most) {
  return {least, most};
}

class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  Option* operator->() { return this; }

  Option type_name(const std::string& text);  // in --help: "N"
  Option group(const std::string& name);
  Option required();
  Option expected(int least, int most);
  Option allow_extra_args(bool allowed);  // false: one value per occurrence
  Option check(WholeNumber bounds);

 private:
  CLI::Option* option_;
};

class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}
  Command* operator->() { return this; }
  const Command* operator->() const { return this; }

  Command add_subcommand(const std::string& name, const std::string& help);
  // T: a text, a list of texts, or a whole number; unsigned ones may be optional.
  template <typename T>
  Option add_option(const std::string& names, T& into, const std::string& help);
  Option add_option_function(const std::string& names, const std::function<void(const std::string&)>& take,
                             const std::string& help);
  Option add_flag(const std::string& names, bool& into, const std::string& help);
  Option add_flag_callback(const std::string& names, const std::function<void()>& given, const std::string& help);
  Command footer(const std::string& text);
  Command group(const std::string& name);  // empty: not in --help
  Command require_subcommand(int count);
  Command callback(const std::function<void()>& chosen);
  // Name of the subcommand on the command line. REQUIRES: there is one.
  std::string chosen() const;

 private:
  CLI::App* app_;
};

class Program {
 public:
  Program(const std::string& name, const std::string& help, const std::string& footer, const std::string& version);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Command root();
  std::string help() const;
  // Empty: a command was chosen and its options are set. A code: exit with it (--help, --version, wrong usage).
  std::optional<int> parse(int argc, const char* const* argv);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace hyperscale::app
