#include "node/run/run_exit.h"

#include <algorithm>

namespace hyperscale::node {

RunExit exit_of(const RunEnd& end, std::span<const results::Verdict> verdicts) {
  if (end.aborted) return RunExit::kAborted;
  if (end.result.partial) return RunExit::kFailed;
  if (!std::ranges::all_of(verdicts, &results::Verdict::passed)) return RunExit::kThreshold;
  const results::Counts counts = end.result.total_counts();
  return counts.errors() == counts.requests() ? RunExit::kFailed : RunExit::kOk;
}

}  // namespace hyperscale::node
