#include "wire/heartbeat.h"

#include "arbitrary_message.h"
#include "wire/proto/heartbeat.pb.h"

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::wire {
namespace {

WorkerHeartbeat worker() {
  return {.node_id = "w1",
          .state = WorkerState::kDegraded,
          .available_cores = 6,
          .queue_depth = 3,
          .cpu_percent = 81.5F,
          .memory_percent = 40.25F,
          .version = 77,
          .active_workflows = {{"job-1:login", WorkflowStatus::kRunning}, {"job-1:browse", WorkflowStatus::kAssigned}},
          .active_workflows_omitted = 2,
          .extension_requested = true};
}

ManagerHeartbeat manager() {
  return {.node_id = "m1",
          .datacenter = "ams1",
          .is_leader = true,
          .term = Term(9),
          .version = 1234,
          .active_jobs = 4,
          .active_workflows = 11,
          .worker_count = 200,
          .available_cores = 1600,
          .state = ServerState::kActive};
}

GateHeartbeat gate() {
  return {.node_id = "g1",
          .state = ServerState::kDraining,
          .version = 5,
          .active_jobs = 2,
          .is_leader = false,
          .term = Term(3)};
}

proto::Heartbeat as_proto(const Heartbeat& heartbeat) {
  const std::vector<std::uint8_t> bytes = encode_heartbeat(heartbeat);
  proto::Heartbeat message;
  EXPECT_TRUE(message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
  return message;
}

std::string refusal(const Heartbeat& heartbeat, const std::function<void(proto::Heartbeat&)>& change) {
  proto::Heartbeat message = as_proto(heartbeat);
  change(message);
  const std::string changed = message.SerializeAsString();
  const Result<Heartbeat> read = decode_heartbeat(as_bytes(changed));
  return read ? "" : read.error().context;
}

// proves part: MSG-HB-1 (every field in the message; a node fills id, state, cores and version only)
TEST(Heartbeat, AWorkerTellsEveryFieldOfTheCatalogue) {
  EXPECT_EQ(decode_heartbeat(encode_heartbeat(worker())), Heartbeat(worker()));
}

// proves part: MSG-HB-2 (every field in the message; a node tells of no jobs, workflows and cores)
TEST(Heartbeat, AManagerTellsEveryFieldOfTheCatalogue) {
  EXPECT_EQ(decode_heartbeat(encode_heartbeat(manager())), Heartbeat(manager()));
  ManagerHeartbeat follower = manager();
  follower.is_leader = false;
  follower.state = ServerState::kDraining;
  EXPECT_EQ(decode_heartbeat(encode_heartbeat(follower)), Heartbeat(follower));
}

TEST(Heartbeat, AGateTellsItsStateAndTerm) {
  EXPECT_EQ(decode_heartbeat(encode_heartbeat(gate())), Heartbeat(gate()));
}

// proves: MSG-ENUM-1
// proves part: MSG-HB-1 (every field in the message; a node fills id, state, cores and version only)
// proves part: MSG-HB-2 (every field in the message; a node tells of no jobs, workflows and cores)
TEST(Heartbeat, StatesTravelByTheirNames) {
  EXPECT_EQ(as_proto(worker()).worker().state(), "DEGRADED");
  EXPECT_EQ(as_proto(worker()).worker().active_workflows(0).status(), "ASSIGNED");
  EXPECT_EQ(as_proto(manager()).manager().state(), "ACTIVE");
  EXPECT_EQ(as_proto(gate()).gate().state(), "DRAINING");
  for (const std::string_view name : {"healthy", "REGISTERING", "HEALTHY ", "1"}) {
    const std::string said =
        refusal(worker(), [name](proto::Heartbeat& m) { m.mutable_worker()->set_state(std::string(name)); });
    EXPECT_NE(said.find("state is not one of the names"), std::string::npos) << name;
  }
}

// proves: AD25-5
TEST(Heartbeat, EachMissingRequiredFieldIsNamed) {
  const auto says = [](std::string_view what, const std::string& said) {
    EXPECT_NE(said.find(what), std::string::npos) << "said: " << said;
  };
  says("role is missing", refusal(worker(), [](proto::Heartbeat& m) { m.clear_role(); }));
  says("node_id is missing", refusal(worker(), [](proto::Heartbeat& m) { m.mutable_worker()->clear_node_id(); }));
  says("state is missing", refusal(worker(), [](proto::Heartbeat& m) { m.mutable_worker()->clear_state(); }));
  says("version is missing", refusal(worker(), [](proto::Heartbeat& m) { m.mutable_worker()->clear_version(); }));
  says("active_workflows.id is missing",
       refusal(worker(), [](proto::Heartbeat& m) { m.mutable_worker()->mutable_active_workflows(0)->clear_id(); }));
  says("state is missing", refusal(manager(), [](proto::Heartbeat& m) { m.mutable_manager()->clear_state(); }));
  says("version is missing", refusal(gate(), [](proto::Heartbeat& m) { m.mutable_gate()->clear_version(); }));
  says("active_workflows.status is missing",
       refusal(worker(), [](proto::Heartbeat& m) { m.mutable_worker()->mutable_active_workflows(0)->clear_status(); }));
  says("node_id is missing", refusal(manager(), [](proto::Heartbeat& m) { m.mutable_manager()->clear_node_id(); }));
  says("version is missing", refusal(manager(), [](proto::Heartbeat& m) { m.mutable_manager()->clear_version(); }));
  says("node_id is missing", refusal(gate(), [](proto::Heartbeat& m) { m.mutable_gate()->clear_node_id(); }));
  says("state is missing", refusal(gate(), [](proto::Heartbeat& m) { m.mutable_gate()->clear_state(); }));
  EXPECT_EQ(refusal(worker(), [](proto::Heartbeat& m) { m.mutable_worker()->clear_cpu_percent(); }), "");
}

// proves: AD25-5
TEST(Heartbeat, AMissingOptionalFieldIsZero) {
  proto::Heartbeat message = as_proto(worker());
  message.mutable_worker()->clear_available_cores();
  const std::string without = message.SerializeAsString();
  WorkerHeartbeat expected = worker();
  expected.available_cores = 0;
  EXPECT_EQ(decode_heartbeat(as_bytes(without)), Heartbeat(expected));
}

template <typename Told>
Heartbeat with_required_only(Told& told, const proto::Heartbeat& message) {
  told.set_node_id("n1");
  told.set_state("DRAINING");
  told.set_version(7);
  const std::string bytes = message.SerializeAsString();
  const Result<Heartbeat> read = decode_heartbeat(as_bytes(bytes));
  EXPECT_TRUE(read) << (read ? "" : read.error().context);
  return read.value_or(Heartbeat());
}

// proves: AD25-5
TEST(Heartbeat, TheRequiredFieldsAreEnough) {
  proto::Heartbeat message;
  WorkerHeartbeat of_worker;
  of_worker.node_id = "n1";
  of_worker.state = WorkerState::kDraining;
  of_worker.version = 7;
  EXPECT_EQ(with_required_only(*message.mutable_worker(), message), Heartbeat(of_worker));
  ManagerHeartbeat of_manager;
  of_manager.node_id = "n1";
  of_manager.state = ServerState::kDraining;
  of_manager.version = 7;
  EXPECT_EQ(with_required_only(*message.mutable_manager(), message), Heartbeat(of_manager));
  GateHeartbeat of_gate;
  of_gate.node_id = "n1";
  of_gate.state = ServerState::kDraining;
  of_gate.version = 7;
  EXPECT_EQ(with_required_only(*message.mutable_gate(), message), Heartbeat(of_gate));
}

// proves: AD25-5
TEST(Heartbeat, UnknownFieldsAreIgnored) {
  const std::vector<std::uint8_t> later{0xf8, 0x06, 0x2a};  // field 111, a number
  for (const Heartbeat& heartbeat : {Heartbeat(worker()), Heartbeat(manager()), Heartbeat(gate())}) {
    std::vector<std::uint8_t> bytes = encode_heartbeat(heartbeat);
    bytes.insert(bytes.end(), later.begin(), later.end());
    EXPECT_EQ(decode_heartbeat(bytes), heartbeat);
  }
}

TEST(Heartbeat, LimitsAreChecked) {
  const std::string long_name(kNodeNameBytesMax + 1, 'n');
  EXPECT_NE(refusal(gate(), [&](proto::Heartbeat& m) { m.mutable_gate()->set_node_id(long_name); }), "");
  EXPECT_NE(refusal(manager(), [&](proto::Heartbeat& m) { m.mutable_manager()->set_datacenter(long_name); }), "");
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -1.0F}) {
    EXPECT_NE(refusal(worker(), [bad](proto::Heartbeat& m) { m.mutable_worker()->set_cpu_percent(bad); }), "");
    EXPECT_NE(refusal(worker(), [bad](proto::Heartbeat& m) { m.mutable_worker()->set_memory_percent(bad); }), "");
  }
  const Result<Heartbeat> large = decode_heartbeat(std::vector<std::uint8_t>(kEmbeddedStateBytesMax + 1));
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::kTooLarge);
}

TEST(Heartbeat, CountsWorkflowsThatDidNotFit) {
  WorkerHeartbeat busy = worker();
  busy.active_workflows.clear();
  busy.active_workflows_omitted = 0;
  for (int i = 0; i < 100; ++i) {
    busy.active_workflows[fmt::format("europe-1700000000000-abcdefgh-{:03}", i)] = WorkflowStatus::kRunning;
  }
  const WorkerHeartbeat told = fitted(busy);
  EXPECT_GT(told.active_workflows.size(), 5u);
  EXPECT_EQ(told.active_workflows.size() + told.active_workflows_omitted, 100u);
  EXPECT_LE(encode_heartbeat(told).size(), kEmbeddedStateBytesMax);
  EXPECT_EQ(decode_heartbeat(encode_heartbeat(told)), Heartbeat(told));
  EXPECT_EQ(fitted(worker()), worker());
}

// proves part: MSG-HB-1 (every field in the message; a node fills id, state, cores and version only)
TEST(Heartbeat, RandomOnesReadBack) {
  EXPECT_TRUE(rc::check("round trip", [](std::uint64_t seed) {
    Prng prng(seed);
    ArbitraryMessage arbitrary(seed);
    WorkerHeartbeat heartbeat{.node_id = arbitrary.text(1, kNodeNameBytesMax),
                              .state = static_cast<WorkerState>(prng.below(4)),
                              .available_cores = static_cast<std::uint32_t>(prng.next()),
                              .queue_depth = static_cast<std::uint32_t>(prng.below(3)),
                              .cpu_percent = static_cast<float>(prng.unit() * 400),
                              .memory_percent = 0,
                              .version = prng.next() >> prng.below(64),
                              .active_workflows = {},
                              .active_workflows_omitted = static_cast<std::uint32_t>(prng.below(2)),
                              .extension_requested = prng.below(2) == 0};
    for (std::uint64_t left = prng.below(20); left > 0; --left) {
      heartbeat.active_workflows[arbitrary.text(1, kWorkflowIdBytesMax)] = static_cast<WorkflowStatus>(prng.below(6));
    }
    heartbeat = fitted(heartbeat);
    RC_ASSERT(decode_heartbeat(encode_heartbeat(heartbeat)) == Heartbeat(heartbeat));
  }));
}

// proves: MSG-ENUM-1
TEST(StatusNames, AreExactlyThoseOfTheCatalogue) {
  const auto all = []<typename Status>(std::initializer_list<std::string_view> names, std::type_identity<Status>) {
    int number = std::is_same_v<Status, NodeRole> ? 1 : 0;
    for (const std::string_view name : names) {
      const auto status = static_cast<Status>(number++);
      EXPECT_EQ(status_name(status), name);
      EXPECT_EQ(parse_status<Status>(name), status);
    }
    EXPECT_FALSE(parse_status<Status>("UNKNOWN"));
  };
  all({"GATE", "MANAGER", "WORKER"}, std::type_identity<NodeRole>{});
  all({"SUBMITTED", "QUEUED", "DISPATCHING", "RUNNING", "COMPLETING", "COMPLETED", "FAILED", "CANCELLED", "TIMEOUT",
       "CANCELLING", "PARTIAL"},
      std::type_identity<JobStatus>{});
  all({"PENDING", "ASSIGNED", "RUNNING", "COMPLETED", "FAILED", "CANCELLED", "AGGREGATED"},
      std::type_identity<WorkflowStatus>{});
  all({"HEALTHY", "DEGRADED", "DRAINING", "OFFLINE"}, std::type_identity<WorkerState>{});
  all({"SYNCING", "ACTIVE", "DRAINING"}, std::type_identity<ServerState>{});
  // What a node calls a state in itself, and what another list has, is no name on the wire.
  for (const std::string_view name : {"AGGREGATED", "PENDING", "ASSIGNED", "running"})
    EXPECT_FALSE(parse_status<JobStatus>(name)) << name;
  for (const std::string_view name : {"RE-DISPATCH", "WORKER_FAILED", "TIMEOUT", "QUEUED", "CANCELLING"})
    EXPECT_FALSE(parse_status<WorkflowStatus>(name)) << name;
  for (const std::string_view name : {"REGISTERING", "ACTIVE"}) EXPECT_FALSE(parse_status<WorkerState>(name)) << name;
  for (const std::string_view name : {"CLIENT", "manager"}) EXPECT_FALSE(parse_status<NodeRole>(name)) << name;
}

// proves: MSG-ENUM-1
TEST(StatusNames, OlderPeersGetTheNearestOldName) {
  for (int number = 0; number <= static_cast<int>(JobStatus::kPartial); ++number) {
    const auto status = static_cast<JobStatus>(number);
    EXPECT_EQ(nearest_known(status, {.major = 1, .minor = 3}), status);
    EXPECT_LE(nearest_known(status, {.major = 1, .minor = 2}), JobStatus::kTimeout) << status_name(status);
    if (status <= JobStatus::kTimeout) EXPECT_EQ(nearest_known(status, {.major = 1, .minor = 0}), status);
  }
  EXPECT_EQ(nearest_known(JobStatus::kCancelling, {.major = 1, .minor = 2}), JobStatus::kRunning);
  EXPECT_EQ(nearest_known(JobStatus::kPartial, {.major = 1, .minor = 2}), JobStatus::kFailed);
  for (int number = 0; number <= static_cast<int>(WorkflowStatus::kAggregated); ++number) {
    const auto status = static_cast<WorkflowStatus>(number);
    EXPECT_EQ(nearest_known(status, {.major = 1, .minor = 3}), status);
    EXPECT_LE(nearest_known(status, {.major = 1, .minor = 2}), WorkflowStatus::kCancelled) << status_name(status);
    if (status <= WorkflowStatus::kCancelled) EXPECT_EQ(nearest_known(status, {.major = 1, .minor = 0}), status);
  }
  EXPECT_EQ(nearest_known(WorkflowStatus::kAggregated, {.major = 1, .minor = 2}), WorkflowStatus::kCompleted);
}

}  // namespace
}  // namespace hyperscale::wire
