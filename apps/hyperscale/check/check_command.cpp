#include "apps/hyperscale/check/check_command.h"

#include "apps/hyperscale/check/checked_file.h"
#include "base/exit_code.h"
#include "base/print_text.h"
#include "intake/guarded_child.h"
#include "intake/run_credentials.h"
#include "intake/thresholds_from_description.h"
#include "intake/workflow_file.h"
#include "node/executors/machine_limits.h"
#include "plan/option_values.h"

#include <cstdio>

#include <fmt/format.h>

namespace hyperscale::app {
namespace {

constexpr std::uint32_t kCoresMax = 1'000'000;

Result<std::uint32_t> cores_of(const std::string& text) {
  if (text.empty()) return static_cast<std::uint32_t>(node::usable_cores().size());
  const auto asked = plan::read_count("--cores", text, 1, kCoresMax);
  if (!asked) return fail(asked.error());
  return static_cast<std::uint32_t>(*asked);
}

// What is printed.
Result<std::vector<std::uint8_t>> checked(const CheckOptions& options, const intake::ScriptVariables& variables,
                                          std::uint32_t cores) {
  auto described = intake::describe_file(options.file, variables, 0, intake::open_in_parent);
  if (!described) return fail(described.error());
  if (const auto thresholds = intake::thresholds_of(described->description); !thresholds)
    return fail(thresholds.error());
  const auto file = checked_file(options.file, std::move(described->description), cores);
  if (!file) return fail(file.error());
  const std::string text = options.json ? checked_json(*file) : checked_text(*file);
  return std::vector<std::uint8_t>(text.begin(), text.end());
}

Result<std::vector<std::uint8_t>> check(const CheckOptions& options) {
  const auto cores = cores_of(options.cores);
  if (!cores) return fail(cores.error());
  if (Status workflows = intake::refuse_other_file(options.file); !workflows) return fail(workflows.error());
  intake::RunOptions taken;
  taken.secrets = options.secrets;
  if (const auto secrets = intake::take_credentials(taken); !secrets) return fail(secrets.error());
  const auto variables = intake::read_script_variables(options.env, taken.secrets);
  if (!variables) return fail(variables.error());
  return intake::answer_of_child(
      options.file, [&] { return checked(options, *variables, *cores); }, {}, intake::rights_to_describe(options.file));
}

}  // namespace

int check_command(const CheckOptions& options) {
  const auto text = check(options);
  if (!text) {
    print_text(stderr, fmt::format("hyperscale check: {}\n", text.error().context));
    return static_cast<int>(ExitCode::kUsage);
  }
  print_text(stdout, std::string(text->begin(), text->end()));
  return static_cast<int>(ExitCode::kOk);
}

}  // namespace hyperscale::app
