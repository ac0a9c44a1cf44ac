#include "node/run/run_command.h"

#include "base/errno_text.h"
#include "base/redactor.h"
#include "node/run/comparison_table.h"
#include "node/run/control_folder.h"
#include "node/run/file_content.h"
#include "node/run/host_endpoints.h"
#include "node/run/job_from_options.h"
#include "node/run/local_runner.h"
#include "node/run/machine_limits.h"
#include "node/run/option_values.h"
#include "node/run/print_text.h"
#include "node/run/run_credentials.h"
#include "node/run/run_exit.h"
#include "node/run/run_id.h"
#include "node/run/run_outputs.h"
#include "node/run/terminal_style.h"
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

namespace hyperscale::node {
namespace {

// Everything that is read and checked before the first request.
struct Prepared {
  Redactor redactor;
  RunRequest request;
  std::vector<Output> outputs;
  std::optional<results::Figures> baseline;
};

int failed(const Error& error, RunExit exit, const Redactor& redactor = {}) {
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

Result<UiMode> ui_of(const std::string& text) {
  const auto mode = text.empty() ? UiMode::kFull : ui_mode_from(text);
  if (!mode) return wrong_option("--ui", fmt::format("{} is not one of full, ci, none", shown(text)));
  return usable_mode(*mode, can_draw(STDERR_FILENO));
}

Status read_judgement(const OutputOptions& options, Prepared& into) {
  for (const std::string& text : options.thresholds) {
    auto threshold = results::parse_scoped(text);
    if (!threshold) return wrong_option("--threshold", threshold.error().context);
    into.request.thresholds.push_back({std::move(*threshold)});
  }
  auto outputs = read_outputs(options.outputs);
  if (!outputs) return fail(outputs.error());
  into.outputs = std::move(*outputs);
  if (options.baseline.empty()) return {};
  const auto json = read_whole_file(options.baseline, report::kResultsFileBytesMax);
  if (!json) return wrong_option("--baseline", json.error().context);
  const auto figures = report::read_figures(*json);
  if (!figures) return wrong_option("--baseline", fmt::format("{}: {}", options.baseline, figures.error().context));
  into.baseline = *figures;
  return {};
}

Result<Prepared> prepare(const RunOptions& options, const Redactor& redactor) {
  Prepared prepared;
  prepared.redactor = redactor;
  prepared.request.redactor = redactor;
  // First, since it erases the token: nothing that is started later may see it.
  if (!options.output.api.listen.empty()) {
    auto api = read_run_api(options.output.api);
    if (!api) return fail(api.error());
    prepared.request.api = std::move(*api);
  }
  if (Status read = read_judgement(options.output, prepared); !read) return fail(read.error());
  const auto ui = ui_of(options.output.ui);
  if (!ui) return fail(ui.error());
  const Machine machine{.descriptors_max = raise_descriptor_limit(),
                        .cores = static_cast<std::uint32_t>(usable_cores().size())};
  auto planned = job_of(options, machine);
  if (!planned) return fail(planned.error());
  if (Status filled = fill_endpoints(planned->job, options.network.resolve); !filled) return fail(filled.error());
  RunRequest& request = prepared.request;
  request.thresholds.insert(request.thresholds.begin(), planned->thresholds.begin(), planned->thresholds.end());
  request.name = planned->job.name;
  request.job = std::move(planned->job);
  request.executors = planned->executors;
  request.backend = planned->backend;
  request.timeout = planned->time_limit;
  request.warnings = std::move(planned->warnings);
  request.ui = *ui;
  request.glyphs = utf8_locale() ? Glyphs::kUnicode : Glyphs::kAscii;
  request.control_folder = control_folder_path();
  request.live_lines = live_lines_path(prepared.outputs);
  return prepared;
}

Status print_summary(const Prepared& prepared, const std::string& baseline_name, const results::RunResult& result,
                     std::span<const results::Verdict> verdicts) {
  if (prepared.request.ui == UiMode::kNone) {
    for (const results::Verdict& verdict : verdicts)
      if (!verdict.passed)
        print_text(stderr, fmt::format("hyperscale run: threshold {} failed: {}\n", verdict.threshold, verdict.actual));
    return {};
  }
  // Standard output belongs to a report that was sent there.
  const bool taken = std::ranges::any_of(prepared.outputs, &Output::to_stdout);
  std::FILE* const to = taken ? stderr : stdout;
  std::string text = report::text_summary(result, verdicts, style_of(taken ? STDERR_FILENO : STDOUT_FILENO));
  if (prepared.baseline) {
    const auto rows = results::compare(*prepared.baseline, results::figures_of(result));
    text += comparison_table(rows, baseline_name, prepared.request.glyphs);
  }
  const int error = print_text(to, text);
  if (error == 0 || error == EPIPE) return {};  // whoever read it has seen enough
  return fail(ErrorCode::kUnavailable, fmt::format("cannot write the summary: {}", errno_text(error)));
}

}  // namespace

int run_command(RunOptions options, const ProgramText& program) {
  if (options.load.seed.empty()) options.load.seed = std::to_string(make_seed());
  const auto secrets = take_credentials(options);
  if (!secrets) return failed(secrets.error(), RunExit::kUsage);
  if (!secrets->empty()) runtime::leave_no_core_dump();
  const Redactor redactor(*secrets);
  const auto prepared = prepare(options, redactor);
  if (!prepared) return failed(prepared.error(), RunExit::kUsage, redactor);
  auto end = run(prepared->request);
  if (!end) {
    const bool stopped = end.error().code == ErrorCode::kCanceled;
    if (end.error().code == ErrorCode::kInvalidArgument)
      return failed(end.error(), RunExit::kUsage, redactor);  // refused
    return failed(end.error(), stopped ? RunExit::kAborted : RunExit::kFailed, redactor);
  }
  std::vector<results::Verdict> verdicts = verdicts_of(prepared->request.thresholds, *end);
  results::redact(end->result, redactor);
  results::redact(verdicts, redactor);
  const Status shown = print_summary(*prepared, options.output.baseline, end->result, verdicts);
  const Status written =
      write_outputs(prepared->outputs, end->result, verdicts, build_text(program, usable_cores().size()));
  if (!written) return failed(written.error(), RunExit::kFailed);
  if (!shown) return failed(shown.error(), RunExit::kFailed);
  if (end->unwritten && prepared->request.ui == UiMode::kNone) return failed(*end->unwritten, RunExit::kFailed);
  if (end->unwritten) return static_cast<int>(RunExit::kFailed);  // it was told when it happened
  return static_cast<int>(exit_of(*end, verdicts));
}

}  // namespace hyperscale::node
