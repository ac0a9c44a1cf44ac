#include "apps/hyperscale/run/run_command.h"

#include "apps/hyperscale/run/run_exit.h"
#include "apps/hyperscale/run/run_outputs.h"
#include "base/errno_text.h"
#include "base/print_text.h"
#include "base/redactor.h"
#include "intake/file_content.h"
#include "intake/job_from_options.h"
#include "intake/run_credentials.h"
#include "node/control/control_folder.h"
#include "node/control/run_id.h"
#include "node/executors/host_endpoints.h"
#include "node/executors/machine_limits.h"
#include "node/local/local_runner.h"
#include "node/local/terminal_style.h"
#include "plan/option_values.h"
#include "report/comparison_table.h"
#include "report/read_figures.h"
#include "report/summary.h"
#include "results/comparison.h"
#include "results/redacted.h"
#include "runtime/secret/core_dumps.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace hyperscale::app {
namespace {

// Inputs that are read and checked before the first request.
struct Prepared {
  Redactor redactor;
  node::RunRequest request;
  std::vector<Output> outputs;
  std::optional<results::Figures> baseline;
};

int failed(const Error& error, ExitCode exit, const Redactor& redactor = {}) {
  print_text(stderr, fmt::format("hyperscale run: {}\n", redactor(error.context)));
  return static_cast<int>(exit);
}

report::BuildInfoText build_text(const ProgramText& program, std::size_t cores) {
  utsname system{};
  ::uname(&system);
  return {.version = program.version,
          .commit = program.commit,
          .compiler = program.compiler,
          .machine = fmt::format("{} core{}, {} {}", cores, cores == 1 ? "" : "s", system.sysname, system.release)};
}

Result<node::UiMode> ui_of(const std::string& text) {
  const auto mode = text.empty() ? node::UiMode::kFull : node::ui_mode_from(text);
  if (!mode) return plan::wrong_option("--ui", fmt::format("{} is not one of full, ci, none", plan::shown(text)));
  return usable_mode(*mode, node::can_draw(STDERR_FILENO));
}

Status read_judgement(const intake::OutputOptions& options, Prepared& into) {
  for (const std::string& text : options.thresholds) {
    auto threshold = results::parse_scoped(text);
    if (!threshold) return plan::wrong_option("--threshold", threshold.error().context);
    into.request.thresholds.push_back({std::move(*threshold)});
  }
  auto outputs = read_outputs(options.outputs);
  if (!outputs) return fail(outputs.error());
  into.outputs = std::move(*outputs);
  if (options.baseline.empty()) return {};
  const auto json = intake::read_whole_file(options.baseline, report::kResultsFileBytesMax);
  if (!json) return plan::wrong_option("--baseline", json.error().context);
  const auto figures = report::read_figures(*json);
  if (!figures)
    return plan::wrong_option("--baseline", fmt::format("{}: {}", options.baseline, figures.error().context));
  into.baseline = *figures;
  return {};
}

Result<Prepared> prepare(const intake::RunOptions& options, const Redactor& redactor) {
  Prepared prepared;
  prepared.redactor = redactor;
  prepared.request.redactor = redactor;
  // First, because it erases the token from the environment, which later child processes must not inherit.
  if (!options.output.api.listen.empty()) {
    auto api = node::read_run_api(options.output.api);
    if (!api) return fail(api.error());
    prepared.request.api = std::move(*api);
  }
  if (Status read = read_judgement(options.output, prepared); !read) return fail(read.error());
  const auto ui = ui_of(options.output.ui);
  if (!ui) return fail(ui.error());
  const intake::Machine machine{.descriptors_max = node::raise_descriptor_limit(),
                                .cores = static_cast<std::uint32_t>(node::usable_cores().size())};
  auto planned = intake::job_of(options, machine);
  if (!planned) return fail(planned.error());
  if (Status filled = node::fill_endpoints(planned->job, options.network.resolve); !filled) return fail(filled.error());
  node::RunRequest& request = prepared.request;
  request.thresholds.insert(request.thresholds.begin(), planned->thresholds.begin(), planned->thresholds.end());
  request.name = planned->job.name;
  request.job = std::move(planned->job);
  request.executors = planned->executors;
  request.backend = planned->backend;
  request.timeout = planned->time_limit;
  request.warnings = std::move(planned->warnings);
  request.ui = *ui;
  request.glyphs = node::utf8_locale() ? Glyphs::kUnicode : Glyphs::kAscii;
  request.control_folder = node::control_folder_path();
  request.add_reporters = [outputs = prepared.outputs](report::ReportQueue& to) {
    return app::add_reporters(outputs, to);
  };
  return prepared;
}

Status print_summary(const Prepared& prepared, const std::string& baseline_name, const results::RunResult& result,
                     std::span<const results::Verdict> verdicts) {
  if (prepared.request.ui == node::UiMode::kNone) {
    for (const results::Verdict& verdict : verdicts)
      if (!verdict.passed)
        print_text(stderr, fmt::format("hyperscale run: threshold {} failed: {}\n", verdict.threshold, verdict.actual));
    return {};
  }
  // With a report on standard output, the summary goes to standard error.
  const bool taken = std::ranges::any_of(prepared.outputs, &Output::to_stdout);
  std::FILE* const to = taken ? stderr : stdout;
  std::string text = report::text_summary(result, verdicts, node::style_of(taken ? STDERR_FILENO : STDOUT_FILENO));
  if (prepared.baseline) {
    const auto rows = results::compare(*prepared.baseline, results::figures_of(result));
    text += report::comparison_table(rows, baseline_name, prepared.request.glyphs);
  }
  const int error = print_text(to, text);
  if (error == 0 || error == EPIPE) return {};  // the reader closed the pipe
  return fail(ErrorCode::kUnavailable, fmt::format("cannot write the summary: {}", errno_text(error)));
}

}  // namespace

int run_command(intake::RunOptions options, const ProgramText& program) {
  if (options.load.seed.empty()) options.load.seed = std::to_string(node::make_seed());
  const auto secrets = intake::take_credentials(options);
  if (!secrets) return failed(secrets.error(), ExitCode::kUsage);
  if (!secrets->empty()) runtime::leave_no_core_dump();
  const Redactor redactor(*secrets);
  const auto prepared = prepare(options, redactor);
  if (!prepared) return failed(prepared.error(), ExitCode::kUsage, redactor);
  auto end = run(prepared->request);
  if (!end) {
    const bool stopped = end.error().code == ErrorCode::kCanceled;
    if (end.error().code == ErrorCode::kInvalidArgument)
      return failed(end.error(), ExitCode::kUsage, redactor);  // refused
    return failed(end.error(), stopped ? ExitCode::kAborted : ExitCode::kFailed, redactor);
  }
  std::vector<results::Verdict> verdicts = verdicts_of(prepared->request.thresholds, *end);
  results::redact(end->result, redactor);
  results::redact(verdicts, redactor);
  const Status shown = print_summary(*prepared, options.output.baseline, end->result, verdicts);
  const Status written =
      write_outputs(prepared->outputs, end->result, verdicts, build_text(program, node::usable_cores().size()));
  if (!written) return failed(written.error(), ExitCode::kFailed);
  if (!shown) return failed(shown.error(), ExitCode::kFailed);
  if (end->unreported && prepared->request.ui == node::UiMode::kNone)
    return failed(*end->unreported, ExitCode::kFailed);
  if (end->unreported) return static_cast<int>(ExitCode::kFailed);  // already logged when it happened
  return static_cast<int>(exit_of(*end, verdicts));
}

}  // namespace hyperscale::app
