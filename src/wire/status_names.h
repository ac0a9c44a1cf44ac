// States in messages: by their names, in capitals, exactly as in the catalogue (MSG-ENUM-1).
//
// Pure functions; any thread. An unknown name is refused (kProtocol) (SEC-7). CANCELLING and PARTIAL of a job and
// AGGREGATED of a workflow exist since protocol 1.3: an older peer would refuse the message, so a sender passes each
// status through nearest_known() with the version of its peer.
#pragma once

#include "base/result.h"
#include "wire/cluster_message.h"
#include "wire/node_identity.h"

#include <cstdint>
#include <string_view>

namespace hyperscale::wire {

enum class JobStatus : std::uint8_t {
  kSubmitted,
  kQueued,
  kDispatching,
  kRunning,
  kCompleting,
  kCompleted,
  kFailed,
  kCancelled,
  kTimeout,
  kCancelling,
  kPartial,
};
enum class WorkflowStatus : std::uint8_t {
  kPending,
  kAssigned,
  kRunning,
  kCompleted,
  kFailed,
  kCancelled,
  kAggregated
};
enum class WorkerState : std::uint8_t { kHealthy, kDegraded, kDraining, kOffline };
// Of a manager and of a gate (SCALE-8).
enum class ServerState : std::uint8_t { kSyncing, kActive, kDraining };

std::string_view status_name(NodeRole role);
std::string_view status_name(JobStatus status);
std::string_view status_name(WorkflowStatus status);
std::string_view status_name(WorkerState state);
std::string_view status_name(ServerState state);

inline constexpr ProtocolVersion kNewJobStatesSince{.major = 1, .minor = 3};

// The status itself, or what an older peer understands instead. A job that is being cancelled is not over: RUNNING. A
// partial result must not look like a success: FAILED.
JobStatus nearest_known(JobStatus status, ProtocolVersion peer);
WorkflowStatus nearest_known(WorkflowStatus status, ProtocolVersion peer);

// parse_status<WorkerState>("HEALTHY"); defined for each of the types above.
template <typename Status>
Result<Status> parse_status(std::string_view name);

}  // namespace hyperscale::wire
