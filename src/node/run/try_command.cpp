#include "node/run/try_command.h"

#include "load/single_try.h"
#include "node/run/guarded_child.h"
#include "node/run/host_endpoints.h"
#include "node/run/job_from_options.h"
#include "node/run/machine_limits.h"
#include "node/run/plan_from_options.h"
#include "node/run/print_text.h"
#include "node/run/run_exit.h"
#include "node/run/run_id.h"
#include "node/run/terminal_style.h"
#include "node/run/tried_workflow.h"
#include "node/run/try_json.h"
#include "node/run/try_text.h"
#include "node/run/workflow_file.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

constexpr Duration kTryPatience = 10min;

int failed(const std::string& command, const Error& error, RunExit exit) {
  print_text(stderr, fmt::format("hyperscale {}: {}\n", command, error.context));
  return static_cast<int>(exit);
}

// Requests are shown as they were sent, and what a script keeps secret may be part of one.
std::string without_secrets(std::string text, const plan::Job& job) {
  for (const plan::Workflow& workflow : job.workflows) {
    for (const plan::Tag& secret : workflow.plan.script.secrets) {
      for (std::size_t at = text.find(secret.value); !secret.value.empty() && at != std::string::npos;
           at = text.find(secret.value, at))
        text.replace(at, secret.value.size(), "***");
    }
  }
  return text;
}

Glyphs usable_glyphs() {
  return utf8_locale() ? Glyphs::kUnicode : Glyphs::kAscii;
}

int try_file(const RunOptions& options, const std::string& command, TryOutput output) {
  auto planned = job_of(options, {.descriptors_max = raise_descriptor_limit(), .cores = 1});
  if (!planned) return failed(command, planned.error(), RunExit::kUsage);
  if (Status filled = fill_endpoints(planned->job, options.network.resolve); !filled)
    return failed(command, filled.error(), RunExit::kUsage);
  // The first byte is the exit code, the rest is what is printed.
  ChildLimits limits;
  limits.answer_within = kTryPatience;
  const auto answer = answer_of_child(
      options.request.url,
      [&]() -> Result<std::vector<std::uint8_t>> {
        const auto tried = try_job(planned->job);
        if (!tried) return fail(tried.error());
        const bool good = std::ranges::all_of(*tried, &TriedWorkflow::good);
        std::vector<std::uint8_t> bytes{static_cast<std::uint8_t>(good ? RunExit::kOk : RunExit::kFailed)};
        const std::string text = without_secrets(
            output == TryOutput::kJson ? tried_json(*tried) : tried_text(*tried, usable_glyphs()), planned->job);
        bytes.insert(bytes.end(), text.begin(), text.end());
        return bytes;
      },
      limits);
  if (!answer) return failed(command, answer.error(), RunExit::kFailed);
  print_text(stdout, std::string(answer->begin() + 1, answer->end()));
  return answer->front();
}

}  // namespace

int try_command(RunOptions options, const std::string& command, TryOutput output) {
  if (options.load.seed.empty()) options.load.seed = std::to_string(make_seed());
  if (is_workflow_file(options.request.url)) return try_file(options, command, output);
  RunOptions single = options;
  single.load.vus = "1";
  single.load.iterations = "1";
  auto planned = plan_of(single, {.descriptors_max = raise_descriptor_limit(), .cores = 1});
  if (!planned) return failed(command, planned.error(), RunExit::kUsage);
  if (Status filled = fill_endpoints(planned->plan, options.network.resolve); !filled) {
    return failed(command, filled.error(), RunExit::kUsage);
  }
  const auto exchanges = load::try_plan(planned->plan);
  if (!exchanges) return failed(command, exchanges.error(), RunExit::kFailed);
  print_text(stdout, output == TryOutput::kJson ? try_json(*exchanges) : try_text(*exchanges, usable_glyphs()));
  const bool good = !exchanges->empty() && !results::is_error(exchanges->back().outcome);
  return static_cast<int>(good ? RunExit::kOk : RunExit::kFailed);
}

}  // namespace hyperscale::node
