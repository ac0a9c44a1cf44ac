// The windows of a run as CSV: a header and one row per window, for spreadsheets and plotting.
//
// Pure function, any thread. Commas, points and line feeds under every locale; times are exact decimals.
#pragma once

#include "results/run_result.h"

#include <string>

namespace hyperscale::report {

std::string csv_report(const results::RunResult& result);

}  // namespace hyperscale::report
