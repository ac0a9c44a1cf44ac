#include "realtime/c_api_status.h"

namespace hyperscale::realtime {

murk_status status_of(CommandOutcome outcome) {
  switch (outcome) {
    case CommandOutcome::kApplied:
      return MURK_OK;
    case CommandOutcome::kStale:
    case CommandOutcome::kExpired:
      return MURK_ERROR_STALE;
    case CommandOutcome::kUnsupported:
      return MURK_ERROR_UNSUPPORTED_COMMAND;
    case CommandOutcome::kTickRollback:
      return MURK_ERROR_TICK_ROLLBACK;
    case CommandOutcome::kQueueFull:
      return MURK_ERROR_QUEUE_FULL;
    case CommandOutcome::kTickDisabled:
      return MURK_ERROR_TICK_DISABLED;
    case CommandOutcome::kShuttingDown:
      return MURK_ERROR_SHUTTING_DOWN;
    case CommandOutcome::kReset:
      break;
  }
  return MURK_ERROR_NOT_APPLIED;
}

murk_status status_of(ObsErrorKind kind) {
  switch (kind) {
    case ObsErrorKind::kPlanInvalidated:
      return MURK_ERROR_PLAN_INVALIDATED;
    case ObsErrorKind::kNoSnapshot:
    case ObsErrorKind::kWorkerCancelled:
      return MURK_ERROR_EXECUTION_FAILED;
    case ObsErrorKind::kWorkerStalled:
      return MURK_ERROR_WORKER_STALLED;
    case ObsErrorKind::kTimeoutWaitingForTick:
      return MURK_ERROR_TIMEOUT_WAITING_FOR_TICK;
    case ObsErrorKind::kNotAvailable:
      return MURK_ERROR_NOT_AVAILABLE;
    case ObsErrorKind::kQueueFull:
      return MURK_ERROR_QUEUE_FULL;
    case ObsErrorKind::kShuttingDown:
      return MURK_ERROR_SHUTTING_DOWN;
    case ObsErrorKind::kTickDisabled:
      return MURK_ERROR_TICK_DISABLED;
    case ObsErrorKind::kBufferTooSmall:
      break;
  }
  return MURK_ERROR_BUFFER_TOO_SMALL;
}

}  // namespace hyperscale::realtime

const char* murk_status_name(murk_status status) {
  switch (status) {
    case MURK_OK:
      return "MURK_OK";
    case MURK_ERROR_INVALID_HANDLE:
      return "MURK_ERROR_INVALID_HANDLE";
    case MURK_ERROR_PLAN_INVALIDATED:
      return "MURK_ERROR_PLAN_INVALIDATED";
    case MURK_ERROR_TIMEOUT_WAITING_FOR_TICK:
      return "MURK_ERROR_TIMEOUT_WAITING_FOR_TICK";
    case MURK_ERROR_NOT_AVAILABLE:
      return "MURK_ERROR_NOT_AVAILABLE";
    case MURK_ERROR_INVALID_COMPOSITION:
      return "MURK_ERROR_INVALID_COMPOSITION";
    case MURK_ERROR_QUEUE_FULL:
      return "MURK_ERROR_QUEUE_FULL";
    case MURK_ERROR_STALE:
      return "MURK_ERROR_STALE";
    case MURK_ERROR_TICK_ROLLBACK:
      return "MURK_ERROR_TICK_ROLLBACK";
    case MURK_ERROR_ALLOCATION_FAILED:
      return "MURK_ERROR_ALLOCATION_FAILED";
    case MURK_ERROR_PROPAGATOR_FAILED:
      return "MURK_ERROR_PROPAGATOR_FAILED";
    case MURK_ERROR_EXECUTION_FAILED:
      return "MURK_ERROR_EXECUTION_FAILED";
    case MURK_ERROR_INVALID_OBS_SPEC:
      return "MURK_ERROR_INVALID_OBS_SPEC";
    case MURK_ERROR_WORKER_STALLED:
      return "MURK_ERROR_WORKER_STALLED";
    case MURK_ERROR_SHUTTING_DOWN:
      return "MURK_ERROR_SHUTTING_DOWN";
    case MURK_ERROR_TICK_DISABLED:
      return "MURK_ERROR_TICK_DISABLED";
    case MURK_ERROR_CONFIG:
      return "MURK_ERROR_CONFIG";
    case MURK_ERROR_INVALID_ARGUMENT:
      return "MURK_ERROR_INVALID_ARGUMENT";
    case MURK_ERROR_BUFFER_TOO_SMALL:
      return "MURK_ERROR_BUFFER_TOO_SMALL";
    case MURK_ERROR_INTERNAL:
      return "MURK_ERROR_INTERNAL";
    case MURK_ERROR_UNSUPPORTED_COMMAND:
      return "MURK_ERROR_UNSUPPORTED_COMMAND";
    case MURK_ERROR_NOT_APPLIED:
      return "MURK_ERROR_NOT_APPLIED";
    case MURK_ERROR_SHUTDOWN_TIMEOUT:
      return "MURK_ERROR_SHUTDOWN_TIMEOUT";
  }
  return "MURK_ERROR_UNKNOWN";
}
