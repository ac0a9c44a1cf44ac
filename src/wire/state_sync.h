// State sync: the request of a new leader to the nodes it is responsible for, and their answers (MSG-TCP-14 to -17),
// and their bytes. docs/formats/wire.md describes them, proto/state_sync.proto is the schema. They are sent in sealed
// frames over TCP and have no datagram form (ARCH-5).
//
// Plain values and pure functions; any thread. Reading follows the rules of cluster_codec.h: limits first, then fields,
// and the first error is named. Writing fails with the same errors where a message breaks a limit, because the state of
// a node can outgrow a frame.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "wire/limits.h"
#include "wire/node_identity.h"
#include "wire/progress.h"
#include "wire/protocol_version.h"
#include "wire/status_names.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::wire {

// Fits a sealed frame even where nothing can be compressed.
inline constexpr std::size_t kStateSyncBytesMax = 1'000'000;
inline constexpr std::size_t kSnapshotWorkersMax = 4096;
inline constexpr std::size_t kSnapshotWorkflowsMax = 1024;
inline constexpr std::size_t kSnapshotJobsMax = 1024;
static_assert(kStateSyncBytesMax + 1024 < kCompressedBytesMax);

struct WorkerStateSnapshot {
  std::string node_id;
  WorkerState state = WorkerState::kHealthy;
  std::uint32_t total_cores = 0;
  std::uint32_t available_cores = 0;
  std::uint64_t version = 0;
  std::map<std::string, WorkflowProgress> active_workflows = {};

  bool operator==(const WorkerStateSnapshot&) const = default;
};

struct ManagerStateSnapshot {
  std::string node_id;
  std::string datacenter;
  bool is_leader = false;
  Term term;
  std::uint64_t version = 0;
  std::vector<WorkerStateSnapshot> workers = {};
  std::map<std::string, JobProgress> jobs = {};

  bool operator==(const ManagerStateSnapshot&) const = default;
};

struct StateSyncRequest {
  std::string requester_id;
  NodeRole requester_role = NodeRole::kManager;
  std::uint64_t since_version = 0;  // last version known to the requester; 0: none
  Handshake hello = {};
  std::uint64_t fence = 0;  // fencing token of the leader; 0: none

  bool operator==(const StateSyncRequest&) const = default;
};

// No snapshot: the requester has the current version.
struct StateSyncResponse {
  std::string responder_id;
  std::uint64_t current_version = 0;
  std::optional<WorkerStateSnapshot> worker_state = {};
  std::optional<ManagerStateSnapshot> manager_state = {};
  Handshake hello = {};

  bool operator==(const StateSyncResponse&) const = default;
};

Result<std::vector<std::uint8_t>> encode_state_sync_request(const StateSyncRequest& request);
Result<StateSyncRequest> decode_state_sync_request(ByteView bytes);

Result<std::vector<std::uint8_t>> encode_state_sync_response(const StateSyncResponse& response);
Result<StateSyncResponse> decode_state_sync_response(ByteView bytes);

}  // namespace hyperscale::wire
