#include "node/run/try_command.h"

#include "load/single_try.h"
#include "node/run/host_endpoints.h"
#include "node/run/machine_limits.h"
#include "node/run/plan_from_options.h"
#include "node/run/print_text.h"
#include "node/run/run_exit.h"
#include "node/run/terminal_style.h"
#include "node/run/try_json.h"
#include "node/run/try_text.h"
#include "node/run/workflow_file.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

int failed(const std::string& command, const Error& error, RunExit exit) {
  print_text(stderr, fmt::format("hyperscale {}: {}\n", command, error.context));
  return static_cast<int>(exit);
}

}  // namespace

int try_command(const RunOptions& options, const std::string& command, TryOutput output) {
  if (is_workflow_file(options.request.url)) {
    return failed(command,
                  {ErrorCode::kInvalidArgument,
                   "a workflow file cannot be tried yet; hyperscale run FILE --iterations 1 "
                   "runs it once"},
                  RunExit::kUsage);
  }
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
  const auto glyphs = utf8_locale() ? report::Glyphs::kUnicode : report::Glyphs::kAscii;
  print_text(stdout, output == TryOutput::kJson ? try_json(*exchanges) : try_text(*exchanges, glyphs));
  const bool good = !exchanges->empty() && !results::is_error(exchanges->back().outcome);
  return static_cast<int>(good ? RunExit::kOk : RunExit::kFailed);
}

}  // namespace hyperscale::node
