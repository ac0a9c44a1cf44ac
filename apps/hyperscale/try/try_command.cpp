#include "apps/hyperscale/try/try_command.h"

#include "apps/hyperscale/try/tried_workflow.h"
#include "apps/hyperscale/try/try_json.h"
#include "apps/hyperscale/try/try_text.h"
#include "base/exit_code.h"
#include "base/print_text.h"
#include "base/redactor.h"
#include "intake/guarded_child.h"
#include "intake/job_from_options.h"
#include "intake/plan_from_options.h"
#include "intake/run_credentials.h"
#include "intake/workflow_file.h"
#include "load/prepared_plan.h"
#include "load/protocols/tls/tls_context.h"
#include "load/single_try.h"
#include "node/control/run_id.h"
#include "node/executors/host_endpoints.h"
#include "node/executors/machine_limits.h"
#include "node/local/terminal_style.h"
#include "plan/idna.h"
#include "plan/raw_request.h"
#include "workflow/script/engine.h"
#include "workflow/script/jsc_library.h"

#include <algorithm>

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

intake::ChildRights rights_to_try(const plan::Job& job) {
  const bool unix_socket = std::ranges::any_of(
      job.workflows, [](const plan::Workflow& each) { return !each.plan.network.unix_socket.empty(); });
  intake::ChildRights rights;
  const bool datagrams =
      std::ranges::any_of(job.workflows, [](const plan::Workflow& each) { return plan::uses_datagrams(each.plan); });
  rights.sockets = runtime::tcp_and(unix_socket, datagrams);
  rights.user = unix_socket ? runtime::SandboxUser::kSame : runtime::SandboxUser::kNobody;
  rights.load = [&job] {
    load::keep_system_authorities();
    for (const plan::Workflow& workflow : job.workflows)
      if (const auto suffixes = load::load_public_suffixes(workflow.plan); !suffixes)
        return Status(fail(suffixes.error()));
    (void)plan::domain_to_ascii("\u00e4.example");  // loads its library
    return workflow::load_jsc();
  };
  rights.start = &workflow::Engine::start;
  return rights;
}

// Requests are shown as they were sent, and what is secret may be part of one.
int try_file(const intake::RunOptions& options, const std::string& command, TryOutput output,
             const Redactor& redactor) {
  auto planned = intake::job_of(options, {.descriptors_max = node::raise_descriptor_limit(), .cores = 1});
  if (!planned) return failed(command, planned.error(), ExitCode::kUsage, redactor);
  if (Status filled = node::fill_endpoints(planned->job, options.network.resolve); !filled)
    return failed(command, filled.error(), ExitCode::kUsage, redactor);
  // The first byte is the exit code, the rest is what is printed.
  intake::ChildLimits limits;
  limits.answer_within = kTryPatience;
  const Glyphs glyphs = usable_glyphs();
  const auto answer = intake::answer_of_child(
      options.request.url,
      [&]() -> Result<std::vector<std::uint8_t>> {
        const auto tried = try_job(planned->job);
        if (!tried) return fail(tried.error());
        const bool good = std::ranges::all_of(*tried, &TriedWorkflow::good);
        std::vector<std::uint8_t> bytes{static_cast<std::uint8_t>(good ? ExitCode::kOk : ExitCode::kFailed)};
        const std::string text = output == TryOutput::kJson ? tried_json(*tried) : tried_text(*tried, glyphs);
        bytes.insert(bytes.end(), text.begin(), text.end());
        return bytes;
      },
      limits, rights_to_try(planned->job));
  if (!answer) return failed(command, answer.error(), ExitCode::kFailed, redactor);
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
