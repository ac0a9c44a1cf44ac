#include "jobs/states/workflow_steps.h"

#include "base/check.h"

#include <fmt/format.h>

namespace hyperscale::jobs {

using enum WorkflowState;

bool begin_dispatch(WorkflowMachine& shares, const wire::ShareId& share, std::string_view worker, MonoTime now) {
  return shares.move(share, kDispatched, fmt::format("dispatching to worker {}", worker), now);
}

bool dispatch_answered(WorkflowMachine& shares, const wire::ShareId& share, DispatchAnswer answer, MonoTime now) {
  if (shares.is_in(share, {kRunning})) return true;
  // A share that was cancelled meanwhile is neither running nor failed.
  if (!shares.is_in(share, {kDispatched})) return false;
  if (answer == DispatchAnswer::kAccepted) return shares.move(share, kRunning, "worker acknowledged", now);
  const bool rejected = answer == DispatchAnswer::kRejected;
  shares.move(share, kFailed, rejected ? "worker rejected dispatch" : "worker did not acknowledge", now);
  return false;
}

void dispatch_unsent(WorkflowMachine& shares, const wire::ShareId& share, std::string_view error, MonoTime now) {
  if (shares.is_in(share, {kDispatched})) {
    shares.move(share, kFailed, fmt::format("dispatch exception: {}", error), now);
  }
}

bool result_arrived(WorkflowMachine& shares, const wire::ShareId& share, std::string_view error, MonoTime now) {
  if (shares.is_in(share, {kDispatched})) dispatch_answered(shares, share, DispatchAnswer::kAccepted, now);
  if (!shares.is_in(share, {kRunning})) return false;
  if (error.empty()) return shares.move(share, kCompleted, "worker reported success", now);
  shares.move(share, kFailed, fmt::format("worker reported: {}", error), now);
  return shares.give_up(share);
}

CancelStep cancel_share(WorkflowMachine& shares, const wire::ShareId& share, MonoTime now) {
  if (!shares.contains(share) || shares.is_over(share)) return CancelStep::kNothing;
  switch (shares.state_of(share)) {
    case kPending:
      // Both steps at once: no dispatch can come between them.
      shares.move(share, kCancelling, "job cancelled while pending", now);
      shares.move(share, kCancelled, "job cancelled while pending", now);
      return CancelStep::kUnqueue;
    case kDispatched:
    case kRunning:
      shares.move(share, kCancelling, "job cancel request", now);
      return CancelStep::kAskWorker;
    case kCancelling:
      return CancelStep::kAskWorker;
    case kFailed:
    case kFailedCancelingDependents:
    case kFailedReadyForRetry:
      shares.move(share, kCancelled, "job cancel request", now);
      return CancelStep::kDone;
    case kCompleted:
    case kCancelled:
    case kAggregated:
      break;
  }
  UNREACHABLE("a share that is over, in {}", name(shares.state_of(share)));
}

bool cancel_confirmed(WorkflowMachine& shares, const wire::ShareId& share, MonoTime now) {
  return shares.is_in(share, {kCancelling}) && shares.move(share, kCancelled, "worker confirmed cancellation", now);
}

}  // namespace hyperscale::jobs
