#include "wire/status_names.h"

#include "base/check.h"

#include <array>
#include <span>

#include <fmt/format.h>

namespace hyperscale::wire {
namespace {

template <typename Status>
struct Named {
  Status status;
  std::string_view name;
};

template <typename Status>
constexpr std::array<Named<Status>, 0> kNames{};
template <>
constexpr std::array<Named<NodeRole>, 3> kNames<NodeRole>{{
    {NodeRole::kGate, "GATE"},
    {NodeRole::kManager, "MANAGER"},
    {NodeRole::kWorker, "WORKER"},
}};
template <>
constexpr std::array<Named<JobStatus>, 11> kNames<JobStatus>{{
    {JobStatus::kSubmitted, "SUBMITTED"},
    {JobStatus::kQueued, "QUEUED"},
    {JobStatus::kDispatching, "DISPATCHING"},
    {JobStatus::kRunning, "RUNNING"},
    {JobStatus::kCompleting, "COMPLETING"},
    {JobStatus::kCompleted, "COMPLETED"},
    {JobStatus::kFailed, "FAILED"},
    {JobStatus::kCancelled, "CANCELLED"},
    {JobStatus::kTimeout, "TIMEOUT"},
    {JobStatus::kCancelling, "CANCELLING"},
    {JobStatus::kPartial, "PARTIAL"},
}};
template <>
constexpr std::array<Named<WorkflowStatus>, 7> kNames<WorkflowStatus>{{
    {WorkflowStatus::kPending, "PENDING"},
    {WorkflowStatus::kAssigned, "ASSIGNED"},
    {WorkflowStatus::kRunning, "RUNNING"},
    {WorkflowStatus::kCompleted, "COMPLETED"},
    {WorkflowStatus::kFailed, "FAILED"},
    {WorkflowStatus::kCancelled, "CANCELLED"},
    {WorkflowStatus::kAggregated, "AGGREGATED"},
}};
template <>
constexpr std::array<Named<WorkerState>, 4> kNames<WorkerState>{{
    {WorkerState::kHealthy, "HEALTHY"},
    {WorkerState::kDegraded, "DEGRADED"},
    {WorkerState::kDraining, "DRAINING"},
    {WorkerState::kOffline, "OFFLINE"},
}};
template <>
constexpr std::array<Named<ServerState>, 3> kNames<ServerState>{{
    {ServerState::kSyncing, "SYNCING"},
    {ServerState::kActive, "ACTIVE"},
    {ServerState::kDraining, "DRAINING"},
}};

template <typename Status>
std::string_view name_of(Status status) {
  for (const auto& each : kNames<Status>) {
    if (each.status == status) return each.name;
  }
  UNREACHABLE("status {}", static_cast<int>(status));
}

}  // namespace

std::string_view status_name(NodeRole role) {
  return name_of(role);
}
std::string_view status_name(JobStatus status) {
  return name_of(status);
}
std::string_view status_name(WorkflowStatus status) {
  return name_of(status);
}
std::string_view status_name(WorkerState state) {
  return name_of(state);
}
std::string_view status_name(ServerState state) {
  return name_of(state);
}

JobStatus nearest_known(JobStatus status, ProtocolVersion peer) {
  if (peer >= kNewJobStatesSince) return status;
  if (status == JobStatus::kCancelling) return JobStatus::kRunning;
  if (status == JobStatus::kPartial) return JobStatus::kFailed;
  return status;
}

WorkflowStatus nearest_known(WorkflowStatus status, ProtocolVersion peer) {
  const bool unknown = status == WorkflowStatus::kAggregated && peer < kNewJobStatesSince;
  return unknown ? WorkflowStatus::kCompleted : status;
}

template <typename Status>
Result<Status> parse_status(std::string_view name) {
  for (const auto& each : kNames<Status>) {
    if (each.name == name) return each.status;
  }
  if (name.empty()) return fail(ErrorCode::kProtocol, "is missing");
  return fail(ErrorCode::kProtocol, "is not one of the names it may have");
}

template Result<NodeRole> parse_status<NodeRole>(std::string_view);
template Result<JobStatus> parse_status<JobStatus>(std::string_view);
template Result<WorkflowStatus> parse_status<WorkflowStatus>(std::string_view);
template Result<WorkerState> parse_status<WorkerState>(std::string_view);
template Result<ServerState> parse_status<ServerState>(std::string_view);

}  // namespace hyperscale::wire
