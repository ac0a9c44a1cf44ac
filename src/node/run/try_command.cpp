#include "node/run/try_command.h"

#include "base/redactor.h"
#include "load/prepared_plan.h"
#include "load/protocols/tls/tls_context.h"
#include "load/single_try.h"
#include "node/run/guarded_child.h"
#include "node/run/host_endpoints.h"
#include "node/run/job_from_options.h"
#include "node/run/machine_limits.h"
#include "node/run/plan_from_options.h"
#include "node/run/print_text.h"
#include "node/run/run_credentials.h"
#include "node/run/run_exit.h"
#include "node/run/run_id.h"
#include "node/run/terminal_style.h"
#include "node/run/tried_workflow.h"
#include "node/run/try_json.h"
#include "node/run/try_text.h"
#include "node/run/workflow_file.h"
#include "plan/idna.h"
#include "workflow/script/engine.h"
#include "workflow/script/jsc_library.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

constexpr Duration kTryPatience = 10min;

int failed(const std::string& command, const Error& error, RunExit exit, const Redactor& redactor = {}) {
  print_text(stderr, fmt::format("hyperscale {}: {}\n", command, redactor(error.context)));
  return static_cast<int>(exit);
}

Glyphs usable_glyphs() {
  return utf8_locale() ? Glyphs::kUnicode : Glyphs::kAscii;
}

ChildRights rights_to_try(const plan::Job& job) {
  const bool unix_socket = std::ranges::any_of(
      job.workflows, [](const plan::Workflow& each) { return !each.plan.network.unix_socket.empty(); });
  ChildRights rights;
  rights.sockets = unix_socket ? runtime::Sockets::kTcpAndUnix : runtime::Sockets::kTcp;
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
int try_file(const RunOptions& options, const std::string& command, TryOutput output, const Redactor& redactor) {
  auto planned = job_of(options, {.descriptors_max = raise_descriptor_limit(), .cores = 1});
  if (!planned) return failed(command, planned.error(), RunExit::kUsage, redactor);
  if (Status filled = fill_endpoints(planned->job, options.network.resolve); !filled)
    return failed(command, filled.error(), RunExit::kUsage, redactor);
  // The first byte is the exit code, the rest is what is printed.
  ChildLimits limits;
  limits.answer_within = kTryPatience;
  const Glyphs glyphs = usable_glyphs();
  const auto answer = answer_of_child(
      options.request.url,
      [&]() -> Result<std::vector<std::uint8_t>> {
        const auto tried = try_job(planned->job);
        if (!tried) return fail(tried.error());
        const bool good = std::ranges::all_of(*tried, &TriedWorkflow::good);
        std::vector<std::uint8_t> bytes{static_cast<std::uint8_t>(good ? RunExit::kOk : RunExit::kFailed)};
        const std::string text = output == TryOutput::kJson ? tried_json(*tried) : tried_text(*tried, glyphs);
        bytes.insert(bytes.end(), text.begin(), text.end());
        return bytes;
      },
      limits, rights_to_try(planned->job));
  if (!answer) return failed(command, answer.error(), RunExit::kFailed, redactor);
  print_text(stdout, redactor(std::string(answer->begin() + 1, answer->end())));
  return answer->front();
}

}  // namespace

int try_command(RunOptions single, const std::string& command, TryOutput output) {
  if (single.load.seed.empty()) single.load.seed = std::to_string(make_seed());
  const auto secrets = take_credentials(single);
  if (!secrets) return failed(command, secrets.error(), RunExit::kUsage);
  const Redactor redactor(*secrets);
  if (is_workflow_file(single.request.url)) return try_file(single, command, output, redactor);
  single.load.vus = "1";
  single.load.iterations = "1";
  auto planned = plan_of(single, {.descriptors_max = raise_descriptor_limit(), .cores = 1});
  if (!planned) return failed(command, planned.error(), RunExit::kUsage, redactor);
  if (Status filled = fill_endpoints(planned->plan, single.network.resolve); !filled) {
    return failed(command, filled.error(), RunExit::kUsage, redactor);
  }
  const auto exchanges = load::try_plan(planned->plan);
  if (!exchanges) return failed(command, exchanges.error(), RunExit::kFailed, redactor);
  print_text(stdout,
             redactor(output == TryOutput::kJson ? try_json(*exchanges) : try_text(*exchanges, usable_glyphs())));
  const bool good = !exchanges->empty() && !results::is_error(exchanges->back().outcome);
  return static_cast<int>(good ? RunExit::kOk : RunExit::kFailed);
}

}  // namespace hyperscale::node
