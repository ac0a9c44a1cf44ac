#include "jobs/states/workflow_states.h"

#include "base/check.h"

#include <array>
#include <initializer_list>

namespace hyperscale::jobs {
namespace {

using enum WorkflowState;
using wire::WorkflowStatus;

struct WorkflowStateRow {
  WorkflowState state;
  std::string_view name;
  std::string_view key;
  WorkflowStatus status;
  std::uint32_t next;  // bit n: may become state n
};

constexpr std::uint32_t any_of(std::initializer_list<WorkflowState> states) {
  std::uint32_t bits = 0;
  for (const WorkflowState state : states) bits |= 1U << static_cast<unsigned>(state);
  return bits;
}

// A cancel reaches the two waiting states of a failed share as well: nothing of it runs, so it is cancelled at once.
constexpr std::array<WorkflowStateRow, kWorkflowStates> kWorkflowStateRows{{
    {kPending, "PENDING", "pending", WorkflowStatus::kPending, any_of({kDispatched, kCancelling, kFailed})},
    {kDispatched, "DISPATCHED", "dispatched", WorkflowStatus::kPending, any_of({kRunning, kCancelling, kFailed})},
    {kRunning, "RUNNING", "running", WorkflowStatus::kRunning, any_of({kCompleted, kFailed, kCancelling, kAggregated})},
    {kCompleted, "COMPLETED", "completed", WorkflowStatus::kCompleted, 0},
    {kFailed, "FAILED", "failed", WorkflowStatus::kFailed, any_of({kFailedCancelingDependents, kCancelled})},
    {kFailedCancelingDependents, "FAILED_CANCELING_DEPENDENTS", "failed_canceling_deps", WorkflowStatus::kFailed,
     any_of({kFailedReadyForRetry, kCancelled})},
    {kFailedReadyForRetry, "FAILED_READY_FOR_RETRY", "failed_ready", WorkflowStatus::kPending,
     any_of({kPending, kCancelled})},
    {kCancelling, "CANCELLING", "cancelling", WorkflowStatus::kCancelled, any_of({kCancelled})},
    {kCancelled, "CANCELLED", "cancelled", WorkflowStatus::kCancelled, 0},
    {kAggregated, "AGGREGATED", "aggregated", WorkflowStatus::kAggregated, 0},
}};

const WorkflowStateRow& workflow_row_of(WorkflowState state) {
  const auto index = static_cast<std::size_t>(state);
  CHECK(index < kWorkflowStateRows.size() && kWorkflowStateRows[index].state == state, "workflow state {}", index);
  return kWorkflowStateRows[index];
}

}  // namespace

std::string_view name(WorkflowState state) {
  return workflow_row_of(state).name;
}

std::string_view key(WorkflowState state) {
  return workflow_row_of(state).key;
}

Result<WorkflowState> parse_workflow_state(std::string_view key) {
  for (const WorkflowStateRow& row : kWorkflowStateRows) {
    if (row.key == key) return row.state;
  }
  return fail(ErrorCode::kProtocol, "is not a state of a workflow");
}

bool may_become(WorkflowState from, WorkflowState to) {
  return (workflow_row_of(from).next & any_of({to})) != 0;
}

bool is_final(WorkflowState state) {
  return workflow_row_of(state).next == 0;
}

bool is_at_worker(WorkflowState state) {
  return state == kDispatched || state == kRunning || state == kCancelling;
}

wire::WorkflowStatus status_of(WorkflowState state) {
  return workflow_row_of(state).status;
}

}  // namespace hyperscale::jobs
