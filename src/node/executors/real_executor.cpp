#include "node/executors/real_executor.h"

#include "base/exit_code.h"
#include "base/print_text.h"
#include "load/prepared_plan.h"
#include "load/protocols/tls/tls_context.h"
#include "node/executors/executor_process.h"
#include "plan/idna.h"
#include "runtime/sandbox/self_test.h"
#include "workflow/script/engine.h"
#include "workflow/script/jsc_library.h"
#include "workflow/script_steps.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

Result<std::unique_ptr<load::Executor>> make_executor(plan::Plan plan, const plan::Segment& segment,
                                                      load::EventLoop& loop, load::TallyRecorder& recorder) {
  if (!plan.script.exists()) return load::Executor::make(std::move(plan), segment, loop, recorder);
  auto script = workflow::make_script_steps(plan, loop, segment.generation);
  if (!script) return fail(script.error());
  plan.script.files.clear();  // the engine has them
  return load::Executor::make(std::move(plan), segment, loop, recorder, std::move(*script));
}

// The library for non-ASCII names loads on first use, which a redirect or a script may trigger inside the sandbox.
Status load_libraries(const plan::Plan& plan) {
  if (!plan.tls.insecure && plan.tls.ca_pem.empty()) load::keep_system_authorities();
  if (const auto suffixes = load::load_public_suffixes(plan); !suffixes) return fail(suffixes.error());
  if (plan.script.exists())
    if (Status loaded = workflow::load_jsc(); !loaded) return loaded;
  const bool international = std::ranges::any_of(
      plan.endpoints, [](const plan::Endpoint& endpoint) { return endpoint.host.find("xn--") != std::string::npos; });
  if (plan.script.exists() || international) (void)plan::domain_to_ascii("\u00e4.example");
  return {};
}

Status start_engine(const plan::Plan& plan) {
  return plan.script.exists() ? workflow::Engine::start() : Status();
}

}  // namespace

int run_sandbox_self_test() {
  bool good = true;
  const auto show = [&](const char* title, runtime::Sockets sockets) {
    const auto attempts = runtime::try_sandbox(sockets);
    print_text(stdout, fmt::format("{}\n{}", title, runtime::self_test_text(attempts)));
    good = good && std::ranges::all_of(attempts, &runtime::Attempt::as_it_should);
  };
  print_text(stdout, fmt::format("This kernel has {}.\n\n", runtime::sandbox_text(runtime::sandbox_of_kernel())));
  show("An executor:", runtime::Sockets::kTcp);
  show("\nThe process that reads a workflow file:", runtime::Sockets::kNone);
  return static_cast<int>(good ? ExitCode::kOk : ExitCode::kFailed);
}

int run_executor_process(int control_fd, int region_fd) {
  return run_executor_process(control_fd, region_fd, &make_executor, {.load = &load_libraries, .start = &start_engine});
}

}  // namespace hyperscale::node
