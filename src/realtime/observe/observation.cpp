#include "realtime/observe/observation.h"

#include <string_view>

#include <fmt/format.h>

namespace hyperscale::realtime {
namespace {

struct Traits {
  std::string_view name;
  ErrorCode code;
};

Traits traits_of(ObsErrorKind kind) {
  switch (kind) {
    case ObsErrorKind::kPlanInvalidated:
      return {"PLAN_INVALIDATED", ErrorCode::kConflict};
    case ObsErrorKind::kNoSnapshot:
      return {"ExecutionFailed: no snapshot available", ErrorCode::kUnavailable};
    case ObsErrorKind::kWorkerCancelled:
      return {"ExecutionFailed: WorkerCancelled", ErrorCode::kCanceled};
    case ObsErrorKind::kWorkerStalled:
      return {"ExecutionFailed: WORKER_STALLED", ErrorCode::kTimeout};
    case ObsErrorKind::kTimeoutWaitingForTick:
      return {"TIMEOUT_WAITING_FOR_TICK", ErrorCode::kTimeout};
    case ObsErrorKind::kNotAvailable:
      return {"NOT_AVAILABLE", ErrorCode::kNotFound};
    case ObsErrorKind::kQueueFull:
      return {"QUEUE_FULL", ErrorCode::kBusy};
    case ObsErrorKind::kShuttingDown:
      return {"SHUTTING_DOWN", ErrorCode::kUnavailable};
    case ObsErrorKind::kTickDisabled:
      return {"TICK_DISABLED", ErrorCode::kUnavailable};
    case ObsErrorKind::kBufferTooSmall:
      break;
  }
  return {"BUFFER_TOO_SMALL", ErrorCode::kInvalidArgument};
}

}  // namespace

std::string ObsError::to_string() const {
  std::string text = fmt::format("{} (latest tick {}", traits_of(kind).name, latest_tick);
  if (requested_tick) text += fmt::format(", requested {}", *requested_tick);
  if (waited_ms > 0) text += fmt::format(", waited {} ms", waited_ms);
  return text + ")";
}

Error ObsError::as_error() const {
  return Error{traits_of(kind).code, to_string()};
}

}  // namespace hyperscale::realtime
