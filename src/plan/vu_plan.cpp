#include "plan/vu_plan.h"

#include "plan/segment.h"

#include <fmt/format.h>

namespace hyperscale::plan {

Result<VuPlan> plan_vus(std::span<const WorkflowVus> workflows) {
  VuPlan plan;
  for (const WorkflowVus& entry : workflows) {
    if (entry.workflow.empty()) return fail(ErrorCode::kInvalidArgument, "a workflow has no name");
    if (entry.threads == 0) {
      return fail(ErrorCode::kInvalidArgument, fmt::format("workflow \"{}\" has no thread", entry.workflow));
    }
    const bool added = plan.emplace(entry.workflow, split_vus(entry.vus, entry.threads)).second;
    if (!added) return fail(ErrorCode::kInvalidArgument, fmt::format("workflow \"{}\" appears twice", entry.workflow));
  }
  return plan;
}

}  // namespace hyperscale::plan
