// Any bytes as a configuration: loading never crashes, every error of the file has a line, every error is one line, and
// what loads without errors prints and loads back to the same configuration.
//
// An input is a file, then optionally a line "--- environment" with NAME=value lines, then "--- flags" with path=value
// lines.
#include "base/check.h"
#include "runtime/config/config_diff.h"
#include "runtime/config/config_loader.h"
#include "runtime/config/config_print.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace hyperscale::runtime;

constexpr std::string_view kEnvironmentMark = "--- environment\n";
constexpr std::string_view kFlagsMark = "--- flags\n";
constexpr std::string_view kFileName = "fuzz.toml";

// Cuts the text at the mark and returns what follows it.
std::string_view cut(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + mark.size());
  text = text.substr(0, at);
  return rest;
}

template <typename Add>
void for_each_assignment(std::string_view lines, Add add) {
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(line.size() < lines.size() ? line.size() + 1 : line.size());
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    add(std::string(line.substr(0, equals)), std::string(line.substr(equals + 1)));
  }
}

ConfigInputs inputs_of(std::string_view text) {
  ConfigInputs inputs{.file_path = std::string(kFileName)};
  const std::string_view flags = cut(text, kFlagsMark);
  const std::string_view environment = cut(text, kEnvironmentMark);
  inputs.file_text = text;
  for_each_assignment(environment, [&](std::string name, std::string value) { inputs.environment[name] = value; });
  for_each_assignment(flags, [&](std::string path, std::string value) { inputs.flags.emplace_back(path, value); });
  return inputs;
}

void check_errors(const ConfigLoad& load) {
  CHECK(load.errors.size() <= kConfigErrorsMax + 1, "{} errors", load.errors.size());
  for (const ConfigError& error : load.errors) {
    CHECK(!error.message.empty());
    if (error.file == kFileName) CHECK(error.line > 0 && error.column > 0, "{}", error.to_string());
    CHECK(error.to_string().find('\n') == std::string::npos, "{}", error.to_string());
  }
}

void check_round_trip(const ConfigLoad& load) {
  const std::string printed = print_config(load.config, load.origins);
  const ConfigLoad again = load_config({.file_path = std::string(kFileName), .file_text = printed});
  CHECK(again.ok(), "{}\n{}", render_errors(again.errors), printed);
  CHECK(again.config == load.config, "{}", printed);
  CHECK(diff_configs(load.config, again.config).empty());
  CHECK(apply_live(NodeConfig(), load.config) == apply_live(NodeConfig(), again.config));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ConfigLoad load = load_config(inputs_of({reinterpret_cast<const char*>(data), size}));
  check_errors(load);
  if (load.ok()) check_round_trip(load);
  return 0;
}
