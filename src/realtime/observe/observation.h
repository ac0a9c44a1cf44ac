// Result of an observation: metadata beside the values, or an error with its reason.
//
// Every request is answered, also with a refusal. After an error the contents of the caller's buffers are undefined.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <optional>
#include <string>

#include <tl/expected.hpp>

namespace hyperscale::realtime {

struct ObsMeta {
  std::uint64_t tick = 0;
  std::uint64_t age_ticks = 0;  // number of ticks published since
  double coverage = 0;          // share of the mask that is valid
  std::uint64_t world_generation = 0;
  std::uint64_t parameter_version = 0;

  bool operator==(const ObsMeta&) const = default;
};

enum class ObsErrorKind : std::uint8_t {
  kPlanInvalidated,        // evicted while the plan ran, or compiled for another layout: observe or compile again
  kNoSnapshot,             // no tick was published yet
  kWorkerCancelled,        // cancelled by a shutdown
  kWorkerStalled,          // it held its snapshot for too long
  kTimeoutWaitingForTick,  // the tick did not come in time
  kNotAvailable,           // the tick is no longer in the ring
  kQueueFull,
  kShuttingDown,
  kTickDisabled,  // the tick will not come: the engine has stopped ticking
  kBufferTooSmall,
};

struct ObsError {
  ObsErrorKind kind = ObsErrorKind::kNoSnapshot;
  std::uint64_t latest_tick = 0;
  std::optional<std::uint64_t> requested_tick = std::nullopt;
  std::uint64_t waited_ms = 0;

  std::string to_string() const;  // "PLAN_INVALIDATED (latest tick 17)"
  Error as_error() const;         // for callers that use Result<T>
};

using ObsResult = tl::expected<ObsMeta, ObsError>;

}  // namespace hyperscale::realtime
