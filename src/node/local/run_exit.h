// How `hyperscale run` ends, for scripts and CI; also in --help and in README.md. Pure; any thread.
#pragma once

#include "base/exit_code.h"
#include "node/local/local_runner.h"
#include "results/threshold.h"

#include <span>
#include <vector>

namespace hyperscale::node {

// Judged by the whole result. One that has ended the run early stays failed, whatever the last answers did to it.
std::vector<results::Verdict> verdicts_of(std::span<const results::RunThreshold> thresholds, const RunEnd& end);

ExitCode exit_of(const RunEnd& end, std::span<const results::Verdict> verdicts);

}  // namespace hyperscale::node
