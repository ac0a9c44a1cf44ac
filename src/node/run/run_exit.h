// How `hyperscale run` ends, for scripts and CI; also in --help and in README.md. Pure; any thread.
#pragma once

#include "node/run/local_runner.h"
#include "results/threshold.h"

#include <span>
#include <vector>

namespace hyperscale::node {

enum class RunExit : int {
  kOk = 0,          // the run was done and every threshold holds; also after Ctrl-C, when the result says so
  kFailed = 1,      // could not be done, a share was lost, no iteration succeeded, or a file could not be written
  kUsage = 2,       // wrong options or input; nothing was sent
  kThreshold = 99,  // the run was done, and a threshold does not hold; 1 goes before it
  kAborted = 130,   // stopped at once by a second signal, or before the start
};

// Judged by the whole result. One that has ended the run early stays failed, whatever the last answers did to it.
std::vector<results::Verdict> verdicts_of(std::span<const results::RunThreshold> thresholds, const RunEnd& end);

RunExit exit_of(const RunEnd& end, std::span<const results::Verdict> verdicts);

}  // namespace hyperscale::node
