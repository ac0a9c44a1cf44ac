// Exit code of `hyperscale run`, for scripts and CI; also in --help and in docs/exit-codes.md. Pure; any thread.
#pragma once

#include "base/exit_code.h"
#include "node/local/local_runner.h"
#include "results/threshold.h"

#include <span>
#include <vector>

namespace hyperscale::app {

// Evaluated on the whole result. A threshold that ended the run early stays failed, independent of later answers.
std::vector<results::Verdict> verdicts_of(std::span<const results::RunThreshold> thresholds, const node::RunEnd& end);

ExitCode exit_of(const node::RunEnd& end, std::span<const results::Verdict> verdicts);

}  // namespace hyperscale::app
