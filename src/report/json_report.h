// The result of a run as JSON, for machines. docs/formats/results.md describes every field.
//
// Pure function, any thread. The same result gives the same bytes.
#pragma once

#include "report/build_info_text.h"
#include "results/run_result.h"
#include "results/threshold.h"

#include <span>
#include <string>
#include <string_view>

namespace hyperscale::report {

inline constexpr std::string_view kResultsSchema = "hyperscale/results/1";

std::string json_report(const results::RunResult& result, std::span<const results::Verdict> verdicts,
                        const BuildInfoText& build);

}  // namespace hyperscale::report
