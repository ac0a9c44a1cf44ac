#include "apps/hyperscale/try/try_command.h"

#include "apps/hyperscale/try/try_json.h"
#include "apps/hyperscale/try/try_text.h"
#include "apps/hyperscale/try/try_work.h"
#include "base/exit_code.h"
#include "base/print_text.h"
#include "base/redactor.h"
#include "intake/guarded_child.h"
#include "intake/job_from_options.h"
#include "intake/plan_from_options.h"
#include "intake/run_credentials.h"
#include "intake/workflow_file.h"
#include "load/single_try.h"
#include "node/control/run_id.h"
#include "node/executors/host_endpoints.h"
#include "node/executors/machine_limits.h"
#include "node/local/terminal_style.h"
#include "plan/job_codec.h"

#include <fmt/format.h>

namespace hyperscale::app {
namespace {

constexpr Duration kTryPatience = 10min;

int failed(const std::string& command, const Error& error, ExitCode exit, const Redactor& redactor = {}) {
  print_text(stderr, fmt::format("hyperscale {}: {}\n", command, redactor(error.context)));
  return static_cast<int>(exit);
}

Glyphs usable_glyphs() {
  return node::utf8_locale() ? Glyphs::kUnicode : Glyphs::kAscii;
}

// The child reads no files: the job contains them.
Result<OwnedFd> refuse_file(const std::string& path) {
  return fail(ErrorCode::kUnauthorized, fmt::format("cannot read {}: not allowed here", path));
}

// The output contains requests as sent, so it is redacted.
int try_file(const intake::RunOptions& options, const std::string& command, TryOutput output,
             const Redactor& redactor) {
  auto planned = intake::job_of(options, {.descriptors_max = node::raise_descriptor_limit(), .cores = 1});
  if (!planned) return failed(command, planned.error(), ExitCode::kUsage, redactor);
  if (Status filled = node::fill_endpoints(planned->job, options.network.resolve); !filled)
    return failed(command, filled.error(), ExitCode::kUsage, redactor);
  intake::ChildLimits limits;
  limits.answer_within = kTryPatience;
  if (Status fits = plan::check_limits(planned->job); !fits)
    return failed(command, fits.error(), ExitCode::kUsage, redactor);
  const auto answer = intake::answer_of_child(
      {.file = options.request.url, .work = try_words(output, usable_glyphs()), .request = plan::encode(planned->job)},
      &refuse_file, limits);
  if (!answer) return failed(command, answer.error(), ExitCode::kFailed, redactor);
  // The child runs the script of the user, so its answer is checked.
  if (answer->empty())
    return failed(command, {ErrorCode::kInternal, fmt::format("{} gave no answer", options.request.url)},
                  ExitCode::kFailed, redactor);
  print_text(stdout, redactor(std::string(answer->begin() + 1, answer->end())));
  return answer->front();
}

}  // namespace

int try_command(intake::RunOptions single, const std::string& command, TryOutput output) {
  if (single.load.seed.empty()) single.load.seed = std::to_string(node::make_seed());
  const auto secrets = intake::take_credentials(single);
  if (!secrets) return failed(command, secrets.error(), ExitCode::kUsage);
  const Redactor redactor(*secrets);
  if (intake::is_workflow_file(single.request.url)) return try_file(single, command, output, redactor);
  single.load.vus = "1";
  single.load.iterations = "1";
  auto planned = intake::plan_of(single, {.descriptors_max = node::raise_descriptor_limit(), .cores = 1});
  if (!planned) return failed(command, planned.error(), ExitCode::kUsage, redactor);
  if (Status filled = node::fill_endpoints(planned->plan, single.network.resolve); !filled) {
    return failed(command, filled.error(), ExitCode::kUsage, redactor);
  }
  const auto exchanges = load::try_plan(planned->plan);
  if (!exchanges) return failed(command, exchanges.error(), ExitCode::kFailed, redactor);
  print_text(stdout,
             redactor(output == TryOutput::kJson ? try_json(*exchanges) : try_text(*exchanges, usable_glyphs())));
  const bool good = !exchanges->empty() && !results::is_error(exchanges->back().outcome);
  return static_cast<int>(good ? ExitCode::kOk : ExitCode::kFailed);
}

}  // namespace hyperscale::app
