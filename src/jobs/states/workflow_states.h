// The ten states of a share of a workflow at the leader of its job, and which may follow which (WFSM, section 5.2). A
// state machine per share; the state of the workflow follows from those of its shares.
//
//   PENDING ─► DISPATCHED ─► RUNNING ─► COMPLETED, AGGREGATED
//      ▲            └───────────┴─► FAILED ─► FAILED_CANCELING_DEPENDENTS ─► FAILED_READY_FOR_RETRY ─► PENDING
//      └── each of these may also be cancelled: CANCELLING ─► CANCELLED; the failed ones CANCELLED at once
//
// Pure functions; any thread.
#pragma once

#include "base/result.h"
#include "wire/status_names.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hyperscale::jobs {

enum class WorkflowState : std::uint8_t {
  kPending,     // waits for a worker with free cores
  kDispatched,  // sent to a worker; no answer yet
  kRunning,
  kCompleted,                  // final
  kFailed,                     // final when its retries are used up (WorkflowMachine::give_up)
  kFailedCancelingDependents,  // what depends on it is being cancelled
  kFailedReadyForRetry,        // nothing that depends on it runs: it may be queued again
  kCancelling,                 // the worker has not confirmed yet
  kCancelled,                  // final, but for what was cancelled because of its parent (WorkflowMachine::reset)
  kAggregated,                 // final: the results of several shares are merged
};
inline constexpr std::size_t kWorkflowStates = 10;

std::string_view name(WorkflowState state);  // "FAILED_READY_FOR_RETRY"
std::string_view key(WorkflowState state);   // "failed_ready": in journals and as a metric's label
Result<WorkflowState> parse_workflow_state(std::string_view key);

bool may_become(WorkflowState from, WorkflowState to);
// COMPLETED, CANCELLED, AGGREGATED: nothing follows in the table.
bool is_final(WorkflowState state);
// DISPATCHED, RUNNING or CANCELLING: a worker may have it.
bool is_at_worker(WorkflowState state);
// What messages and users see.
wire::WorkflowStatus status_of(WorkflowState state);

}  // namespace hyperscale::jobs
