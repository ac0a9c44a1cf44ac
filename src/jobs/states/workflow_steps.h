// What happens to a share, as transitions with their reasons: dispatch, answer, result, cancel (WFSM-DISP, WFSM-DONE,
// WFSM-CAN). Pure functions on a WorkflowMachine; its owner's thread.
//
//   if (!begin_dispatch(shares, share, worker, now)) return;   // another event came first: it is not sent
//   send(...);
//
// Each transition is made before its effect leaves the caller: of two events that race for one share, one gets true and
// may act, the other gets false and must not.
#pragma once

#include "base/time.h"
#include "jobs/states/workflow_machine.h"

#include <cstdint>
#include <string_view>

namespace hyperscale::jobs {

// PENDING only. False: "Cannot dispatch SHARE - not in PENDING state".
bool begin_dispatch(WorkflowMachine& shares, const wire::ShareId& share, std::string_view worker, MonoTime now);

enum class DispatchAnswer : std::uint8_t {
  kAccepted,  // by the answer, or by any message of the attempt
  kRejected,
  kNone,  // the window of its acknowledgement is over (ack_window.h)
};
// True: it runs, also if a message of it was faster than the answer. Otherwise it is FAILED, or was cancelled
// meanwhile.
bool dispatch_answered(WorkflowMachine& shares, const wire::ShareId& share, DispatchAnswer answer, MonoTime now);
// The message could not be sent, and surely did not arrive.
void dispatch_unsent(WorkflowMachine& shares, const wire::ShareId& share, std::string_view error, MonoTime now);

// `error` is empty exactly if the share completed. A result that is faster than the answer to its dispatch implies that
// answer. False: the share is not running, for example because it is being cancelled; the result is ignored. A failed
// result is final: the error of a workflow is not retried.
bool result_arrived(WorkflowMachine& shares, const wire::ShareId& share, std::string_view error, MonoTime now);

enum class CancelStep : std::uint8_t {
  kNothing,    // it is over, or unknown
  kUnqueue,    // it was pending and is CANCELLED: remove it from the queue
  kAskWorker,  // a worker may have it: send the cancel, again if it was sent before
  kDone,       // it had failed and waited to be retried; now it is CANCELLED
};
// The job is cancelled.
CancelStep cancel_share(WorkflowMachine& shares, const wire::ShareId& share, MonoTime now);
// By the worker, or because that worker is dead.
bool cancel_confirmed(WorkflowMachine& shares, const wire::ShareId& share, MonoTime now);

}  // namespace hyperscale::jobs
