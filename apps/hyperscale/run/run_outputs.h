// The files that a run leaves behind: --out json=FILE, csv=FILE, html=FILE, and jsonl=FILE and samples=FILE, which grow
// while the run goes on. "-" is standard output.
//
// Any thread; blocking. Whether they can be written is found out before the run, so that no result is lost at its end.
#pragma once

#include "base/result.h"
#include "report/build_info_text.h"
#include "report/reporters/report_queue.h"
#include "results/run_result.h"
#include "results/threshold.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hyperscale::app {

enum class OutputKind : std::uint8_t { kJson, kCsv, kHtml, kJsonLines, kSamples };

struct Output {
  OutputKind kind = OutputKind::kJson;
  std::string path;
  bool to_stdout() const { return path == "-"; }
  bool grows() const { return kind == OutputKind::kJsonLines || kind == OutputKind::kSamples; }
};

// Fails with the sentence that the user sees.
Result<std::vector<Output>> read_outputs(const std::vector<std::string>& texts);

// Adds the reporters among them, those that follow a run while it goes on. Fails with the sentence that the user sees.
Status add_reporters(std::span<const Output> outputs, report::ReportQueue& to);

// Writes all of them but those that grow; the first failure is the answer, the others are written nevertheless.
Status write_outputs(std::span<const Output> outputs, const results::RunResult& result,
                     std::span<const results::Verdict> verdicts, const report::BuildInfoText& build);

}  // namespace hyperscale::app
