#include "node/local/run_outputs.h"

#include "base/nearest_match.h"
#include "intake/file_content.h"
#include "plan/option_values.h"
#include "report/csv_report.h"
#include "report/html_report.h"
#include "report/json_report.h"
#include "report/reporters/json_lines.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

const std::array<std::string, 4> kKinds = {"json", "csv", "html", "jsonl"};  // in the order of OutputKind

Result<Output> read_output(const std::string& text) {
  const auto pair = plan::read_pair("--out", text, '=', "json=FILE, csv=FILE, html=FILE or jsonl=FILE");
  if (!pair) return fail(pair.error());
  const auto* const kind = std::ranges::find(kKinds, pair->name);
  if (kind == kKinds.end()) {
    const auto close = nearest_match(pair->name, kKinds);
    return plan::wrong_option("--out", fmt::format("{} is not one of json, csv, html, jsonl{}", plan::shown(pair->name),
                                                   close ? fmt::format("; did you mean {}?", *close) : ""));
  }
  if (pair->value.empty()) return plan::wrong_option("--out", fmt::format("{} has no file name", plan::shown(text)));
  Output output{static_cast<OutputKind>(kind - kKinds.begin()), pair->value};
  if (!output.to_stdout()) {
    if (Status writable = intake::check_writable(output.path); !writable) {
      return plan::wrong_option("--out", writable.error().context);
    }
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
    const auto is_lines = [](const Output& each) { return each.kind == OutputKind::kJsonLines; };
    if (is_lines(*output) && std::ranges::any_of(outputs, is_lines))
      return plan::wrong_option("--out", "jsonl can be given once");
    outputs.push_back(std::move(*output));
  }
  return outputs;
}

Status add_reporters(std::span<const Output> outputs, report::ReportQueue& to) {
  for (const Output& output : outputs) {
    if (output.kind != OutputKind::kJsonLines) continue;
    auto lines = report::JsonLines::open(output.path);
    if (!lines) return fail(lines.error());
    to.add(std::move(*lines));
  }
  return {};
}

Status write_outputs(std::span<const Output> outputs, const results::RunResult& result,
                     std::span<const results::Verdict> verdicts, const report::BuildInfoText& build) {
  Status first;
  for (const Output& output : outputs) {
    if (output.kind == OutputKind::kJsonLines) continue;
    const std::string content = content_of(output.kind, result, verdicts, build);
    Status written = output.to_stdout() ? write_to_stdout(content) : intake::replace_file(output.path, content);
    if (!written && first) first = written;
  }
  return first;
}

}  // namespace hyperscale::node
