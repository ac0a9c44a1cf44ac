// The result of a run as one self-contained HTML file: no network, no script, opens from disk and prints.
//
// Pure function, any thread. All untrusted text is escaped, and as a second defence a content security policy in the
// page forbids every script and every request.
#pragma once

#include "report/build_info_text.h"
#include "results/run_result.h"
#include "results/threshold.h"

#include <span>
#include <string>

namespace hyperscale::report {

std::string html_report(const results::RunResult& result, std::span<const results::Verdict> verdicts,
                        const BuildInfoText& build);

}  // namespace hyperscale::report
