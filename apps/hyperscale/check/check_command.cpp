#include "apps/hyperscale/check/check_command.h"

#include "apps/hyperscale/check/check_work.h"
#include "base/exit_code.h"
#include "base/print_text.h"
#include "intake/describe_work.h"
#include "intake/guarded_child.h"
#include "intake/run_credentials.h"
#include "intake/workflow_file.h"
#include "node/executors/machine_limits.h"
#include "plan/option_values.h"

#include <cstdio>
#include <utility>

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

Result<std::vector<std::uint8_t>> check(const CheckOptions& options) {
  const auto cores = cores_of(options.cores);
  if (!cores) return fail(cores.error());
  if (Status workflows = intake::refuse_other_file(options.file); !workflows) return fail(workflows.error());
  intake::RunOptions taken;
  taken.secrets = options.secrets;
  if (const auto secrets = intake::take_credentials(taken); !secrets) return fail(secrets.error());
  const auto variables = intake::read_script_variables(options.env, taken.secrets);
  if (!variables) return fail(variables.error());
  auto request = intake::encode_describing({}, *variables);
  if (!request) return fail(request.error());
  return intake::answer_of_child(
      {.file = options.file, .work = check_words(options.file, options.json, *cores), .request = std::move(*request)},
      intake::files_to_describe(options.file));
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
