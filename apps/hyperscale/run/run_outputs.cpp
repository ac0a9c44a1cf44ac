#include "apps/hyperscale/run/run_outputs.h"

#include "base/nearest_match.h"
#include "intake/file_content.h"
#include "plan/option_values.h"
#include "report/csv_report.h"
#include "report/html_report.h"
#include "report/json_report.h"
#include "report/reporters/json_lines.h"
#include "report/reporters/sample_rows.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include <fmt/format.h>

namespace hyperscale::app {
namespace {

const std::array<std::string, 5> kKinds = {"json", "csv", "html", "jsonl", "samples"};  // in the order of OutputKind

Result<Output> read_output(const std::string& text) {
  const auto pair = plan::read_pair("--out", text, '=', "json=FILE, csv=FILE, html=FILE, jsonl=FILE or samples=FILE");
  if (!pair) return fail(pair.error());
  const auto* const kind = std::ranges::find(kKinds, pair->name);
  if (kind == kKinds.end()) {
    const auto close = nearest_match(pair->name, kKinds);
    return plan::wrong_option("--out",
                              fmt::format("{} is not one of json, csv, html, jsonl, samples{}", plan::shown(pair->name),
                                          close ? fmt::format("; did you mean {}?", *close) : ""));
  }
  if (pair->value.empty()) return plan::wrong_option("--out", fmt::format("{} has no file name", plan::shown(text)));
  Output output{static_cast<OutputKind>(kind - kKinds.begin()), pair->value};
  if (!output.to_stdout()) {
    const Status writable =
        output.grows() ? intake::check_writable_in_place(output.path) : intake::check_writable(output.path);
    if (!writable) return plan::wrong_option("--out", writable.error().context);
  }
  return output;
}

std::string content_of(OutputKind kind, const results::RunResult& result, std::span<const results::Verdict> verdicts,
                       const report::BuildInfoText& build) {
  switch (kind) {
    case OutputKind::kJson:
      return report::json_report(result, verdicts, build);
    case OutputKind::kCsv:
      return report::csv_report(result);
    case OutputKind::kHtml:
    case OutputKind::kJsonLines:
    case OutputKind::kSamples:
      break;
  }
  return report::html_report(result, verdicts, build);
}

Status write_to_stdout(const std::string& content) {
  const bool written = std::fwrite(content.data(), 1, content.size(), stdout) == content.size();
  if (!written || std::fflush(stdout) != 0) return fail(ErrorCode::kBrokenPipe, "cannot write to standard output");
  return {};
}

}  // namespace

Result<std::vector<Output>> read_outputs(const std::vector<std::string>& texts) {
  std::vector<Output> outputs;
  for (const std::string& text : texts) {
    auto output = read_output(text);
    if (!output) return fail(output.error());
    const bool twice = std::ranges::any_of(outputs, [&](const Output& other) { return other.path == output->path; });
    if (twice)
      return plan::wrong_option("--out", fmt::format("two outputs cannot both go to {}", plan::shown(output->path)));
    const auto same_kind = [&](const Output& each) { return each.kind == output->kind; };
    if (output->grows() && std::ranges::any_of(outputs, same_kind))
      return plan::wrong_option("--out", kKinds[static_cast<std::size_t>(output->kind)] + " can be given once");
    outputs.push_back(std::move(*output));
  }
  return outputs;
}

Status add_reporters(std::span<const Output> outputs, report::ReportQueue& to) {
  for (const Output& output : outputs) {
    if (!output.grows()) continue;
    const auto add = [&to](auto reporter) -> Status {
      if (!reporter) return fail(reporter.error());
      to.add(std::move(*reporter));
      return {};
    };
    const Status added = output.kind == OutputKind::kSamples ? add(report::SampleRows::open(output.path))
                                                             : add(report::JsonLines::open(output.path));
    if (!added) return added;
  }
  return {};
}

Status write_outputs(std::span<const Output> outputs, const results::RunResult& result,
                     std::span<const results::Verdict> verdicts, const report::BuildInfoText& build) {
  Status first;
  for (const Output& output : outputs) {
    if (output.grows()) continue;
    const std::string content = content_of(output.kind, result, verdicts, build);
    Status written = output.to_stdout() ? write_to_stdout(content) : intake::replace_file(output.path, content);
    if (!written && first) first = written;
  }
  return first;
}

}  // namespace hyperscale::app
