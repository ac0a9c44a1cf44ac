// The summary of a run as text for a terminal or a log.
//
// Pure function, any thread. Empty sections are omitted. Names, addresses, messages and bodies are untrusted and cannot
// move the cursor or change colours. No line exceeds the given width; a width outside kSummaryWidthMin to
// kSummaryWidthMax is clamped.
#pragma once

#include "results/run_result.h"
#include "results/threshold.h"

#include <span>
#include <string>

namespace hyperscale::report {

struct SummaryStyle {
  bool colour = false;  // escape sequences
  unsigned width = 100;
  bool ascii = false;  // ASCII only
};
inline constexpr unsigned kSummaryWidthMin = 60;
inline constexpr unsigned kSummaryWidthMax = 120;

std::string text_summary(const results::RunResult& result, std::span<const results::Verdict> verdicts,
                         const SummaryStyle& style);

}  // namespace hyperscale::report
