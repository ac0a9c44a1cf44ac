// Heartbeats: state of a worker, manager or gate, embedded in its datagrams (MSG-HB-1 to -3), and their bytes.
// docs/formats/wire.md describes them, proto/heartbeat.proto is the schema.
//
// Plain values and pure functions; any thread. A heartbeat is at most kEmbeddedStateBytesMax bytes long. Reading
// follows the rules of cluster_codec.h. Writing one that breaks a limit is a bug (CHECK); fitted() makes a worker's
// short enough.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "wire/cluster_message.h"
#include "wire/status_names.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace hyperscale::wire {

inline constexpr std::size_t kWorkflowIdBytesMax = 128;

struct WorkerHeartbeat {
  std::string node_id;  // at most kNodeNameBytesMax
  WorkerState state = WorkerState::kHealthy;
  std::uint32_t available_cores = 0;
  std::uint32_t queue_depth = 0;
  float cpu_percent = 0;  // finite, not negative; of the node process, never of its executors
  float memory_percent = 0;
  std::uint64_t version = 0;  // grows with every change: an older one is stale
  std::map<std::string, WorkflowStatus> active_workflows;
  std::uint32_t active_workflows_omitted = 0;  // that did not fit
  bool extension_requested = false;

  bool operator==(const WorkerHeartbeat&) const = default;
};

struct ManagerHeartbeat {
  std::string node_id;
  std::string datacenter;  // at most kDatacenterBytesMax
  bool is_leader = false;
  Term term;
  std::uint64_t version = 0;
  std::uint32_t active_jobs = 0;
  std::uint32_t active_workflows = 0;
  std::uint32_t worker_count = 0;
  std::uint32_t available_cores = 0;
  ServerState state = ServerState::kSyncing;

  bool operator==(const ManagerHeartbeat&) const = default;
};

struct GateHeartbeat {
  std::string node_id;
  ServerState state = ServerState::kSyncing;
  std::uint64_t version = 0;
  std::uint32_t active_jobs = 0;
  bool is_leader = false;
  Term term;

  bool operator==(const GateHeartbeat&) const = default;
};

using Heartbeat = std::variant<WorkerHeartbeat, ManagerHeartbeat, GateHeartbeat>;

std::vector<std::uint8_t> encode_heartbeat(const Heartbeat& heartbeat);
Result<Heartbeat> decode_heartbeat(ByteView bytes);

Status check_heartbeat(const Heartbeat& heartbeat);

// Omits workflows from the end until the heartbeat fits, and counts them.
WorkerHeartbeat fitted(WorkerHeartbeat heartbeat);

}  // namespace hyperscale::wire
