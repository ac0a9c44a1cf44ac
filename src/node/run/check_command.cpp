#include "node/run/check_command.h"

#include "node/run/checked_file.h"
#include "node/run/guarded_child.h"
#include "node/run/machine_limits.h"
#include "node/run/option_values.h"
#include "node/run/print_text.h"
#include "node/run/run_credentials.h"
#include "node/run/run_exit.h"
#include "node/run/thresholds_from_description.h"
#include "node/run/workflow_file.h"

#include <cstdio>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

constexpr std::uint32_t kCoresMax = 1'000'000;

Result<std::uint32_t> cores_of(const std::string& text) {
  if (text.empty()) return static_cast<std::uint32_t>(usable_cores().size());
  const auto asked = read_count("--cores", text, 1, kCoresMax);
  if (!asked) return fail(asked.error());
  return static_cast<std::uint32_t>(*asked);
}

// What is printed.
Result<std::vector<std::uint8_t>> checked(const CheckOptions& options, const ScriptVariables& variables,
                                          std::uint32_t cores) {
  auto described = describe_file(options.file, variables, 0, open_in_parent);
  if (!described) return fail(described.error());
  if (const auto thresholds = thresholds_of(described->description); !thresholds) return fail(thresholds.error());
  const auto file = checked_file(options.file, std::move(described->description), cores);
  if (!file) return fail(file.error());
  const std::string text = options.json ? checked_json(*file) : checked_text(*file);
  return std::vector<std::uint8_t>(text.begin(), text.end());
}

Result<std::vector<std::uint8_t>> check(const CheckOptions& options) {
  const auto cores = cores_of(options.cores);
  if (!cores) return fail(cores.error());
  if (Status workflows = refuse_other_file(options.file); !workflows) return fail(workflows.error());
  RunOptions taken;
  taken.secrets = options.secrets;
  if (const auto secrets = take_credentials(taken); !secrets) return fail(secrets.error());
  const auto variables = read_script_variables(options.env, taken.secrets);
  if (!variables) return fail(variables.error());
  return answer_of_child(
      options.file, [&] { return checked(options, *variables, *cores); }, {}, rights_to_describe(options.file));
}

}  // namespace

int check_command(const CheckOptions& options) {
  const auto text = check(options);
  if (!text) {
    print_text(stderr, fmt::format("hyperscale check: {}\n", text.error().context));
    return static_cast<int>(RunExit::kUsage);
  }
  print_text(stdout, std::string(text->begin(), text->end()));
  return static_cast<int>(RunExit::kOk);
}

}  // namespace hyperscale::node
