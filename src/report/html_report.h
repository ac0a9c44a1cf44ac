// The result of a run as one HTML file that needs nothing else: no network, no script, opens from disk and prints.
//
// Pure function, any thread. All text that comes from elsewhere is escaped, and a content security policy in the page
// forbids every script and every request, should that ever fail.
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
