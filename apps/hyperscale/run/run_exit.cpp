#include "apps/hyperscale/run/run_exit.h"

#include <algorithm>

namespace hyperscale::app {

std::vector<results::Verdict> verdicts_of(std::span<const results::RunThreshold> thresholds, const node::RunEnd& end) {
  std::vector<results::Verdict> verdicts;
  for (const results::RunThreshold& each : thresholds) {
    const bool ended_it = each.abort_on_fail && end.stopped_by && end.stopped_by->threshold == each.threshold.text();
    verdicts.push_back(ended_it ? *end.stopped_by : each.threshold.judge(end.result));
  }
  return verdicts;
}

ExitCode exit_of(const node::RunEnd& end, std::span<const results::Verdict> verdicts) {
  if (end.aborted) return ExitCode::kAborted;
  const bool failed = std::ranges::any_of(end.result.workflows, [](const results::WorkflowReport& workflow) {
    return workflow.end == results::WorkflowEnd::kFailed;
  });
  if (end.result.partial || failed || end.result.iterations_ok() == 0) return ExitCode::kFailed;
  const bool holds = std::ranges::all_of(verdicts, &results::Verdict::passed);
  return holds ? ExitCode::kOk : ExitCode::kThreshold;
}

}  // namespace hyperscale::app
