#include "wire/heartbeat.h"

#include "base/check.h"
#include "wire/proto/heartbeat.pb.h"
#include "wire/proto_fields.h"
#include "wire/wire_text.h"

#include <cmath>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

namespace hyperscale::wire {
namespace {

Status check_name(std::string_view field, std::string_view text, std::size_t bytes_max) {
  const Status ok = check_text(text, bytes_max);
  if (!ok) return fail(ok.error().code, fmt::format("{} {}", field, ok.error().context));
  return {};
}

Status check_node_id(std::string_view node_id) {
  if (node_id.empty()) return missing("node_id");
  return check_name("node_id", node_id, kNodeNameBytesMax);
}

struct HeartbeatCheck {
  Status operator()(const WorkerHeartbeat& heartbeat) const {
    for (const float percent : {heartbeat.cpu_percent, heartbeat.memory_percent}) {
      if (!std::isfinite(percent) || percent < 0) return fail(ErrorCode::kProtocol, "a percentage is not a number");
    }
    for (const auto& [id, status] : heartbeat.active_workflows) {
      if (id.empty()) return missing("active_workflows.id");
      if (Status ok = check_name("active_workflows.id", id, kWorkflowIdBytesMax); !ok) return ok;
    }
    return check_node_id(heartbeat.node_id);
  }
  Status operator()(const ManagerHeartbeat& heartbeat) const {
    if (Status ok = check_name("datacenter", heartbeat.datacenter, kDatacenterBytesMax); !ok) return ok;
    return check_node_id(heartbeat.node_id);
  }
  Status operator()(const GateHeartbeat& heartbeat) const { return check_node_id(heartbeat.node_id); }
};

std::string text(auto status) {
  return std::string(status_name(status));
}

struct HeartbeatWriter {
  proto::Heartbeat& to;

  void operator()(const WorkerHeartbeat& from) const {
    proto::WorkerHeartbeat& into = *to.mutable_worker();
    into.set_node_id(from.node_id);
    into.set_state(text(from.state));
    into.set_available_cores(from.available_cores);
    into.set_queue_depth(from.queue_depth);
    into.set_cpu_percent(from.cpu_percent);
    into.set_memory_percent(from.memory_percent);
    into.set_version(from.version);
    for (const auto& [id, status] : from.active_workflows) {
      proto::ActiveWorkflow& workflow = *into.add_active_workflows();
      workflow.set_id(id);
      workflow.set_status(text(status));
    }
    into.set_active_workflows_omitted(from.active_workflows_omitted);
    into.set_extension_requested(from.extension_requested);
  }
  void operator()(const ManagerHeartbeat& from) const {
    proto::ManagerHeartbeat& into = *to.mutable_manager();
    into.set_node_id(from.node_id);
    into.set_datacenter(from.datacenter);
    into.set_is_leader(from.is_leader);
    into.set_term(from.term.value());
    into.set_version(from.version);
    into.set_active_jobs(from.active_jobs);
    into.set_active_workflows(from.active_workflows);
    into.set_worker_count(from.worker_count);
    into.set_available_cores(from.available_cores);
    into.set_state(text(from.state));
  }
  void operator()(const GateHeartbeat& from) const {
    proto::GateHeartbeat& into = *to.mutable_gate();
    into.set_node_id(from.node_id);
    into.set_state(text(from.state));
    into.set_version(from.version);
    into.set_active_jobs(from.active_jobs);
    into.set_is_leader(from.is_leader);
    into.set_term(from.term.value());
  }
};

template <typename State>
Status read_state(std::string_view field, const std::string& name, State& into) {
  const Result<State> state = parse_status<State>(name);
  if (!state) return fail(state.error().code, fmt::format("{} {}", field, state.error().context));
  into = *state;
  return {};
}

Result<Heartbeat> read(const proto::WorkerHeartbeat& from) {
  WorkerHeartbeat heartbeat;
  heartbeat.node_id = from.node_id();
  if (Status ok = read_state("state", from.state(), heartbeat.state); !ok) return fail(ok.error());
  heartbeat.available_cores = from.available_cores();
  heartbeat.queue_depth = from.queue_depth();
  heartbeat.cpu_percent = from.cpu_percent();
  heartbeat.memory_percent = from.memory_percent();
  if (!from.has_version()) return missing("version");
  heartbeat.version = from.version();
  for (const proto::ActiveWorkflow& workflow : from.active_workflows()) {
    WorkflowStatus status{};
    if (Status ok = read_state("active_workflows.status", workflow.status(), status); !ok) return fail(ok.error());
    heartbeat.active_workflows.insert_or_assign(workflow.id(), status);
  }
  heartbeat.active_workflows_omitted = from.active_workflows_omitted();
  heartbeat.extension_requested = from.extension_requested();
  return heartbeat;
}

Result<Heartbeat> read(const proto::ManagerHeartbeat& from) {
  ManagerHeartbeat heartbeat;
  heartbeat.node_id = from.node_id();
  heartbeat.datacenter = from.datacenter();
  heartbeat.is_leader = from.is_leader();
  heartbeat.term = Term(from.term());
  if (!from.has_version()) return missing("version");
  heartbeat.version = from.version();
  heartbeat.active_jobs = from.active_jobs();
  heartbeat.active_workflows = from.active_workflows();
  heartbeat.worker_count = from.worker_count();
  heartbeat.available_cores = from.available_cores();
  if (Status ok = read_state("state", from.state(), heartbeat.state); !ok) return fail(ok.error());
  return heartbeat;
}

Result<Heartbeat> read(const proto::GateHeartbeat& from) {
  GateHeartbeat heartbeat;
  heartbeat.node_id = from.node_id();
  if (Status ok = read_state("state", from.state(), heartbeat.state); !ok) return fail(ok.error());
  if (!from.has_version()) return missing("version");
  heartbeat.version = from.version();
  heartbeat.active_jobs = from.active_jobs();
  heartbeat.is_leader = from.is_leader();
  heartbeat.term = Term(from.term());
  return heartbeat;
}

Result<Heartbeat> read(const proto::Heartbeat& from) {
  switch (from.role_case()) {
    case proto::Heartbeat::kWorker:
      return read(from.worker());
    case proto::Heartbeat::kManager:
      return read(from.manager());
    case proto::Heartbeat::kGate:
      return read(from.gate());
    case proto::Heartbeat::ROLE_NOT_SET:
      break;
  }
  return missing("role");
}

std::size_t encoded_bytes(const Heartbeat& heartbeat) {
  proto::Heartbeat to;
  std::visit(HeartbeatWriter{to}, heartbeat);
  return to.ByteSizeLong();
}

}  // namespace

Status check_heartbeat(const Heartbeat& heartbeat) {
  return std::visit(HeartbeatCheck{}, heartbeat);
}

std::vector<std::uint8_t> encode_heartbeat(const Heartbeat& heartbeat) {
  const Status ok = check_heartbeat(heartbeat);
  CHECK(ok.has_value(), "heartbeat: {}", ok.error().context);
  proto::Heartbeat to;
  std::visit(HeartbeatWriter{to}, heartbeat);
  const std::size_t size = to.ByteSizeLong();
  CHECK(size <= kEmbeddedStateBytesMax, "a heartbeat of {} bytes", size);
  std::vector<std::uint8_t> bytes(size);
  to.SerializeWithCachedSizesToArray(bytes.data());
  return bytes;
}

Result<Heartbeat> decode_heartbeat(ByteView bytes) {
  if (bytes.size() > kEmbeddedStateBytesMax) {
    return fail(ErrorCode::kTooLarge,
                fmt::format("heartbeat: {} bytes, at most {}", bytes.size(), kEmbeddedStateBytesMax));
  }
  proto::Heartbeat from;
  if (!from.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return fail(ErrorCode::kProtocol, "heartbeat: not protobuf");
  }
  Result<Heartbeat> heartbeat = read(from);
  if (heartbeat) {
    if (Status ok = check_heartbeat(*heartbeat); !ok) heartbeat = fail(ok.error());
  }
  if (!heartbeat) return fail(heartbeat.error().code, "heartbeat: " + heartbeat.error().context);
  return heartbeat;
}

WorkerHeartbeat fitted(WorkerHeartbeat heartbeat) {
  while (!heartbeat.active_workflows.empty() && encoded_bytes(heartbeat) > kEmbeddedStateBytesMax) {
    heartbeat.active_workflows.erase(std::prev(heartbeat.active_workflows.end()));
    ++heartbeat.active_workflows_omitted;
  }
  return heartbeat;
}

}  // namespace hyperscale::wire
