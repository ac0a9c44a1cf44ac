#include "wire/state_sync.h"

#include "wire/progress_fields.h"
#include "wire/proto/state_sync.pb.h"
#include "wire/proto_fields.h"
#include "wire/wire_text.h"

#include <utility>

#include <fmt/format.h>

namespace hyperscale::wire {
namespace {

Status check(const WorkerStateSnapshot& snapshot) {
  if (Status ok = check_id("node_id", snapshot.node_id, kNodeNameBytesMax); !ok) return ok;
  if (Status ok = check_count("active_workflows", snapshot.active_workflows.size(), kSnapshotWorkflowsMax); !ok)
    return ok;
  for (const auto& [id, progress] : snapshot.active_workflows) {
    if (Status ok = check_id("active_workflows.id", id, kProgressIdBytesMax); !ok) return ok;
    if (const Status ok = check_workflow(progress); !ok) return within("active_workflows", ok.error());
  }
  return {};
}

Status check(const ManagerStateSnapshot& snapshot) {
  if (Status ok = check_id("node_id", snapshot.node_id, kNodeNameBytesMax); !ok) return ok;
  if (const Status ok = check_text(snapshot.datacenter, kDatacenterBytesMax); !ok) {
    return fail(ok.error().code, "datacenter " + ok.error().context);
  }
  if (Status ok = check_count("workers", snapshot.workers.size(), kSnapshotWorkersMax); !ok) return ok;
  for (const WorkerStateSnapshot& worker : snapshot.workers) {
    if (const Status ok = check(worker); !ok) return within("workers", ok.error());
  }
  if (Status ok = check_count("jobs", snapshot.jobs.size(), kSnapshotJobsMax); !ok) return ok;
  for (const auto& [id, progress] : snapshot.jobs) {
    if (Status ok = check_id("jobs.id", id, kProgressIdBytesMax); !ok) return ok;
    if (const Status ok = check_job(progress); !ok) return within("jobs", ok.error());
  }
  return {};
}

Status check(const Handshake& hello) {
  if (Status ok = check_count("capabilities", hello.capabilities.size(), kCapabilitiesMax); !ok) return ok;
  for (const std::string& capability : hello.capabilities) {
    if (const Status ok = check_text(capability, kCapabilityBytesMax); !ok)
      return fail(ok.error().code, "a capability " + ok.error().context);
  }
  if (const Status ok = check_text(hello.node_version, kNodeVersionBytesMax); !ok)
    return fail(ok.error().code, "node_version " + ok.error().context);
  return {};
}

Status check(const StateSyncRequest& request) {
  if (Status ok = check_id("requester_id", request.requester_id, kNodeNameBytesMax); !ok) return ok;
  if (const Status ok = check(request.hello); !ok) return within("hello", ok.error());
  return {};
}

Status check(const StateSyncResponse& response) {
  if (Status ok = check_id("responder_id", response.responder_id, kNodeNameBytesMax); !ok) return ok;
  if (const Status ok = check(response.hello); !ok) return within("hello", ok.error());
  if (response.worker_state && response.manager_state) {
    return fail(ErrorCode::kProtocol, "a node is a worker or a manager, not both");
  }
  if (response.worker_state) {
    if (const Status ok = check(*response.worker_state); !ok) return within("worker_state", ok.error());
  }
  if (response.manager_state) {
    if (const Status ok = check(*response.manager_state); !ok) return within("manager_state", ok.error());
  }
  return {};
}

void write(const WorkerStateSnapshot& from, proto::WorkerStateSnapshot& to) {
  to.set_node_id(from.node_id);
  to.set_state(std::string(status_name(from.state)));
  to.set_total_cores(from.total_cores);
  to.set_available_cores(from.available_cores);
  to.set_version(from.version);
  for (const auto& [id, progress] : from.active_workflows) {
    proto::ActiveWorkflowProgress& into = *to.add_active_workflows();
    into.set_id(id);
    write_workflow(progress, *into.mutable_progress());
  }
}

void write(const ManagerStateSnapshot& from, proto::ManagerStateSnapshot& to) {
  to.set_node_id(from.node_id);
  to.set_datacenter(from.datacenter);
  to.set_is_leader(from.is_leader);
  to.set_term(from.term.value());
  to.set_version(from.version);
  for (const WorkerStateSnapshot& worker : from.workers) write(worker, *to.add_workers());
  for (const auto& [id, progress] : from.jobs) {
    proto::JobOfManager& into = *to.add_jobs();
    into.set_id(id);
    write_job(progress, *into.mutable_progress());
  }
}

// The handshake of a node that sends none: the first version had no handshake.
const Handshake kNoHandshake{.version = {.major = 1, .minor = 0}};

void write(const Handshake& from, auto& message) {
  if (from == kNoHandshake) return;
  proto::Handshake& to = *message.mutable_hello();
  to.set_protocol_version(to_string(from.version));
  for (const std::string& capability : from.capabilities) to.add_capabilities(capability);
  to.set_node_version(from.node_version);
}

void write(const StateSyncRequest& from, proto::StateSyncRequest& to) {
  to.set_requester_id(from.requester_id);
  to.set_requester_role(std::string(status_name(from.requester_role)));
  to.set_since_version(from.since_version);
  write(from.hello, to);
  to.set_fence(from.fence);
}

void write(const StateSyncResponse& from, proto::StateSyncResponse& to) {
  to.set_responder_id(from.responder_id);
  to.set_current_version(from.current_version);
  if (from.worker_state) write(*from.worker_state, *to.mutable_worker_state());
  if (from.manager_state) write(*from.manager_state, *to.mutable_manager_state());
  write(from.hello, to);
}

Result<WorkerStateSnapshot> read(const proto::WorkerStateSnapshot& from) {
  const auto workflows = static_cast<std::size_t>(from.active_workflows_size());
  if (Status ok = check_count("active_workflows", workflows, kSnapshotWorkflowsMax); !ok) return fail(ok.error());
  if (!from.has_version()) return missing("version");
  WorkerStateSnapshot snapshot{.node_id = from.node_id(),
                               .total_cores = from.total_cores(),
                               .available_cores = from.available_cores(),
                               .version = from.version()};
  if (Status ok = read_state("state", from.state(), snapshot.state); !ok) return fail(ok.error());
  for (const proto::ActiveWorkflowProgress& each : from.active_workflows()) {
    Result<WorkflowProgress> progress = read_workflow(each.progress());
    if (!progress) return within("active_workflows", progress.error());
    snapshot.active_workflows.insert_or_assign(each.id(), std::move(*progress));
  }
  return snapshot;
}

Result<ManagerStateSnapshot> read(const proto::ManagerStateSnapshot& from) {
  const auto workers = static_cast<std::size_t>(from.workers_size());
  const auto jobs = static_cast<std::size_t>(from.jobs_size());
  if (Status ok = check_count("workers", workers, kSnapshotWorkersMax); !ok) return fail(ok.error());
  if (Status ok = check_count("jobs", jobs, kSnapshotJobsMax); !ok) return fail(ok.error());
  if (!from.has_version()) return missing("version");
  ManagerStateSnapshot snapshot{.node_id = from.node_id(),
                                .datacenter = from.datacenter(),
                                .is_leader = from.is_leader(),
                                .term = Term(from.term()),
                                .version = from.version()};
  for (const proto::WorkerStateSnapshot& each : from.workers()) {
    Result<WorkerStateSnapshot> worker = read(each);
    if (!worker) return within("workers", worker.error());
    snapshot.workers.push_back(std::move(*worker));
  }
  for (const proto::JobOfManager& each : from.jobs()) {
    Result<JobProgress> progress = read_job(each.progress());
    if (!progress) return within("jobs", progress.error());
    snapshot.jobs.insert_or_assign(each.id(), std::move(*progress));
  }
  return snapshot;
}

Result<Handshake> read(bool told, const proto::Handshake& from) {
  if (!told) return kNoHandshake;
  const auto capabilities = static_cast<std::size_t>(from.capabilities_size());
  if (Status ok = check_count("capabilities", capabilities, kCapabilitiesMax); !ok) return fail(ok.error());
  const Result<ProtocolVersion> version = parse_protocol_version(from.protocol_version());
  if (!version) return within("protocol_version", version.error());
  return Handshake{.version = *version,
                   .capabilities = {from.capabilities().begin(), from.capabilities().end()},
                   .node_version = from.node_version()};
}

Result<StateSyncRequest> read(const proto::StateSyncRequest& from) {
  Result<Handshake> hello = read(from.has_hello(), from.hello());
  if (!hello) return within("hello", hello.error());
  StateSyncRequest request{.requester_id = from.requester_id(),
                           .since_version = from.since_version(),
                           .hello = std::move(*hello),
                           .fence = from.fence()};
  if (Status ok = read_state("requester_role", from.requester_role(), request.requester_role); !ok)
    return fail(ok.error());
  return request;
}

Result<StateSyncResponse> read(const proto::StateSyncResponse& from) {
  if (!from.has_current_version()) return missing("current_version");
  Result<Handshake> hello = read(from.has_hello(), from.hello());
  if (!hello) return within("hello", hello.error());
  StateSyncResponse response{
      .responder_id = from.responder_id(), .current_version = from.current_version(), .hello = std::move(*hello)};
  if (from.has_worker_state()) {
    Result<WorkerStateSnapshot> worker = read(from.worker_state());
    if (!worker) return within("worker_state", worker.error());
    response.worker_state = std::move(*worker);
  }
  if (from.has_manager_state()) {
    Result<ManagerStateSnapshot> manager = read(from.manager_state());
    if (!manager) return within("manager_state", manager.error());
    response.manager_state = std::move(*manager);
  }
  return response;
}

tl::unexpected<Error> too_large(std::string_view what, std::size_t size) {
  return fail(ErrorCode::kTooLarge, fmt::format("{}: {} bytes, at most {}", what, size, kStateSyncBytesMax));
}

tl::unexpected<Error> wrong(std::string_view what, const Error& error) {
  return fail(error.code, fmt::format("{}: {}", what, error.context));
}

template <typename Proto>
Result<std::vector<std::uint8_t>> encode(std::string_view what, const auto& message) {
  if (const Status ok = check(message); !ok) return wrong(what, ok.error());
  Proto to;
  write(message, to);
  const std::size_t size = to.ByteSizeLong();
  if (size > kStateSyncBytesMax) return too_large(what, size);
  std::vector<std::uint8_t> bytes(size);
  to.SerializeWithCachedSizesToArray(bytes.data());
  return bytes;
}

template <typename Message, typename Proto>
Result<Message> decode(std::string_view what, ByteView bytes) {
  if (bytes.size() > kStateSyncBytesMax) return too_large(what, bytes.size());
  Proto from;
  if (!from.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return fail(ErrorCode::kProtocol, fmt::format("{}: not protobuf", what));
  }
  Result<Message> message = read(from);
  if (message) {
    if (const Status ok = check(*message); !ok) message = fail(ok.error());
  }
  if (!message) return wrong(what, message.error());
  return message;
}

constexpr std::string_view kRequest = "state sync request";
constexpr std::string_view kResponse = "state sync response";

}  // namespace

Result<std::vector<std::uint8_t>> encode_state_sync_request(const StateSyncRequest& request) {
  return encode<proto::StateSyncRequest>(kRequest, request);
}

Result<StateSyncRequest> decode_state_sync_request(ByteView bytes) {
  return decode<StateSyncRequest, proto::StateSyncRequest>(kRequest, bytes);
}

Result<std::vector<std::uint8_t>> encode_state_sync_response(const StateSyncResponse& response) {
  return encode<proto::StateSyncResponse>(kResponse, response);
}

Result<StateSyncResponse> decode_state_sync_response(ByteView bytes) {
  return decode<StateSyncResponse, proto::StateSyncResponse>(kResponse, bytes);
}

}  // namespace hyperscale::wire
