#include "wire/state_sync.h"

#include "base/check.h"
#include "wire/cluster_codec.h"
#include "wire/proto/cluster.pb.h"
#include "wire/proto/state_sync.pb.h"

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

namespace hyperscale::wire {
namespace {

WorkflowProgress workflow(const std::string& id) {
  return {.job_id = "job-1",
          .workflow_id = id,
          .workflow_name = "Log in and browse",
          .status = WorkflowStatus::kRunning,
          .completed_count = 1'000'000'007,
          .failed_count = 3,
          .rate_per_second = 812.5,
          .elapsed_s = 61.25,
          .step_stats = {{.step_name = "GET /", .completed_count = 9, .failed_count = 1, .total_count = 10},
                         {.step_name = "sign in", .completed_count = 2, .failed_count = 0, .total_count = 2}},
          .timestamp_s = 12345.5,
          .assigned_cores = {0, 2, 3}};
}

JobProgress job() {
  return {.job_id = "job-1",
          .datacenter = "ams1",
          .status = JobStatus::kCompleting,
          .workflows = {workflow("w1"), workflow("w2")},
          .total_completed = 77,
          .total_failed = 4,
          .overall_rate = 900.5,
          .elapsed_s = 62,
          .timestamp_s = 99.5};
}

WorkerStateSnapshot worker(const std::string& name) {
  return {.node_id = name,
          .state = WorkerState::kDraining,
          .total_cores = 16,
          .available_cores = 13,
          .version = (std::uint64_t{7} << 32) | 5,
          .active_workflows = {{"job-1:login", workflow("login")}, {"job-1:browse", workflow("browse")}}};
}

ManagerStateSnapshot manager() {
  return {.node_id = "m1",
          .datacenter = "ams1",
          .is_leader = true,
          .term = Term(9),
          .version = 1234,
          .workers = {worker("wk1"), worker("wk2")},
          .jobs = {{"job-1", job()}}};
}

StateSyncResponse of_worker() {
  return {.responder_id = "wk1", .current_version = (std::uint64_t{7} << 32) | 5, .worker_state = worker("wk1")};
}

StateSyncResponse of_manager() {
  return {.responder_id = "m1", .current_version = 1234, .manager_state = manager()};
}

StateSyncResponse there_and_back(const StateSyncResponse& response) {
  const auto bytes = encode_state_sync_response(response);
  CHECK(bytes.has_value(), "{}", bytes.error().context);
  const auto again = decode_state_sync_response(*bytes);
  CHECK(again.has_value(), "{}", again.error().context);
  return *again;
}

std::string refusal(const StateSyncResponse& response, const std::function<void(proto::StateSyncResponse&)>& change) {
  const auto bytes = encode_state_sync_response(response);
  proto::StateSyncResponse message;
  EXPECT_TRUE(message.ParseFromArray(bytes->data(), static_cast<int>(bytes->size())));
  change(message);
  const std::string changed = message.SerializeAsString();
  const auto read = decode_state_sync_response(as_bytes(changed));
  return read ? "" : read.error().context;
}

// proves: MSG-ENUM-1, AD25-5, AD25-2
// proves part: MSG-TCP-14 (every field; a snapshot is sent when versions differ, not only when it is newer)
TEST(StateSync, ARequestTellsEveryFieldOfTheCatalogue) {
  const StateSyncRequest request{
      .requester_id = "m1",
      .requester_role = NodeRole::kGate,
      .since_version = 77,
      .hello = {.version = {.major = 1, .minor = 7}, .capabilities = {"a", "b"}, .node_version = "hyperscale-0.5.0"},
      .fence = (std::uint64_t{9} << 32) | 1};
  const auto bytes = encode_state_sync_request(request);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(decode_state_sync_request(*bytes), request);
  proto::StateSyncRequest message;
  ASSERT_TRUE(message.ParseFromArray(bytes->data(), static_cast<int>(bytes->size())));
  EXPECT_EQ(message.requester_role(), "GATE");
  message.clear_since_version();
  const std::string without = message.SerializeAsString();
  EXPECT_EQ(decode_state_sync_request(as_bytes(without))->since_version, 0u);
}

// proves: AD25-5
TEST(StateSync, MissingHelloMeansFirstVersion) {
  const auto bytes = encode_state_sync_request({.requester_id = "m1"});
  proto::StateSyncRequest message;
  ASSERT_TRUE(bytes && message.ParseFromArray(bytes->data(), static_cast<int>(bytes->size())));
  message.clear_hello();
  const std::string without = message.SerializeAsString();
  const auto read = decode_state_sync_request(as_bytes(without));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->hello, (Handshake{.version = {.major = 1, .minor = 0}}));
  EXPECT_EQ(read->fence, 0u);
}

// proves: AD25-5
TEST(StateSync, AHandshakeIsChecked) {
  const auto hello = [](const std::function<void(proto::Handshake&)>& change) {
    return refusal(of_worker(), [&](auto& m) { change(*m.mutable_hello()); });
  };
  EXPECT_EQ(hello([](auto&) {}), "");
  EXPECT_NE(hello([](auto& m) { m.clear_protocol_version(); }), "");
  EXPECT_NE(hello([](auto& m) { m.set_protocol_version("1.2.3"); }), "");
  EXPECT_NE(hello([](auto& m) { m.set_node_version("\x1b[2J"); }), "");
  EXPECT_NE(hello([](auto& m) { m.add_capabilities(std::string(kCapabilityBytesMax + 1, 'c')); }), "");
  EXPECT_NE(hello([](auto& m) {
              for (std::size_t i = 0; i <= kCapabilitiesMax; ++i) m.add_capabilities("c");
            }),
            "");
}

// proves: MSG-TCP-15
TEST(StateSync, AResponseTellsEveryFieldOfTheCatalogue) {
  EXPECT_EQ(there_and_back(of_worker()), of_worker());
  EXPECT_EQ(there_and_back(of_manager()), of_manager());
  const StateSyncResponse unchanged{
      .responder_id = "wk1",
      .current_version = 5,
      .hello = {.version = {.major = 1, .minor = 0}, .capabilities = {"c"}, .node_version = "hyperscale-0.1.0"}};
  EXPECT_EQ(there_and_back(unchanged), unchanged);
}

// proves part: MSG-TCP-16 (every field in the message; a node always says HEALTHY and tells of no workflows)
// proves part: MSG-TCP-8 (every field; not the defaults of those left out)
// proves part: MSG-TCP-7 (every field; not the defaults of those left out)
TEST(StateSync, AWorkerTellsItsCoresAndItsWorkflows) {
  const auto told = there_and_back(of_worker()).worker_state;
  ASSERT_TRUE(told);
  EXPECT_EQ(*told, worker("wk1"));
  EXPECT_EQ(told->active_workflows.at("job-1:login").step_stats[0].step_name, "GET /");
}

// proves part: MSG-TCP-17 (every field in the message; a node tells of no jobs)
// proves part: MSG-TCP-9 (every field; not the defaults of those left out)
TEST(StateSync, AManagerTellsItsWorkersAndItsJobs) {
  const auto told = there_and_back(of_manager()).manager_state;
  ASSERT_TRUE(told);
  EXPECT_EQ(*told, manager());
  StateSyncResponse follower = of_manager();
  follower.manager_state->is_leader = false;
  EXPECT_EQ(there_and_back(follower), follower);
}

// proves: MSG-ENUM-1
// proves part: MSG-TCP-16 (every field in the message; a node always says HEALTHY and tells of no workflows)
TEST(StateSync, StatesTravelByTheirNames) {
  const auto bytes = encode_state_sync_response(of_worker());
  proto::StateSyncResponse message;
  ASSERT_TRUE(message.ParseFromArray(bytes->data(), static_cast<int>(bytes->size())));
  EXPECT_EQ(message.worker_state().state(), "DRAINING");
  EXPECT_EQ(message.worker_state().active_workflows(0).progress().status(), "RUNNING");
  const auto of_jobs = encode_state_sync_response(of_manager());
  ASSERT_TRUE(message.ParseFromArray(of_jobs->data(), static_cast<int>(of_jobs->size())));
  EXPECT_EQ(message.manager_state().jobs(0).progress().status(), "COMPLETING");
  EXPECT_NE(refusal(of_worker(), [](auto& m) { m.mutable_worker_state()->set_state("draining"); }), "");
}

// proves: AD25-5
TEST(StateSync, EachMissingRequiredFieldIsNamed) {
  const auto says = [](std::string_view what, const std::string& said) {
    EXPECT_NE(said.find(what), std::string::npos) << "said: " << said;
  };
  says("responder_id is missing", refusal(of_worker(), [](auto& m) { m.clear_responder_id(); }));
  says("current_version is missing", refusal(of_worker(), [](auto& m) { m.clear_current_version(); }));
  says("worker_state.node_id is missing",
       refusal(of_worker(), [](auto& m) { m.mutable_worker_state()->clear_node_id(); }));
  says("worker_state.version is missing",
       refusal(of_worker(), [](auto& m) { m.mutable_worker_state()->clear_version(); }));
  says("worker_state.active_workflows.id is missing",
       refusal(of_worker(), [](auto& m) { m.mutable_worker_state()->mutable_active_workflows(0)->clear_id(); }));
  says("active_workflows.job_id is missing", refusal(of_worker(), [](auto& m) {
         m.mutable_worker_state()->mutable_active_workflows(0)->mutable_progress()->clear_job_id();
       }));
  says("manager_state.version is missing",
       refusal(of_manager(), [](auto& m) { m.mutable_manager_state()->clear_version(); }));
  says("manager_state.jobs.job_id is missing", refusal(of_manager(), [](auto& m) {
         m.mutable_manager_state()->mutable_jobs(0)->mutable_progress()->clear_job_id();
       }));
  says("not both", refusal(of_worker(), [](auto& m) {
         m.mutable_manager_state()->set_node_id("m1");
         m.mutable_manager_state()->set_version(1);
       }));
  says("state is missing", refusal(of_worker(), [](auto& m) { m.mutable_worker_state()->clear_state(); }));
  says("workflow_id is missing", refusal(of_worker(), [](auto& m) {
         m.mutable_worker_state()->mutable_active_workflows(0)->mutable_progress()->clear_workflow_id();
       }));
  says("manager_state.node_id is missing",
       refusal(of_manager(), [](auto& m) { m.mutable_manager_state()->clear_node_id(); }));
  const auto progress = [](auto& m) -> proto::WorkflowProgress& {
    return *m.mutable_worker_state()->mutable_active_workflows(0)->mutable_progress();
  };
  says("status is missing", refusal(of_worker(), [&](auto& m) { progress(m).clear_status(); }));
  says("step_name is missing",
       refusal(of_worker(), [&](auto& m) { progress(m).mutable_step_stats(0)->clear_step_name(); }));
  says("jobs.id is missing",
       refusal(of_manager(), [](auto& m) { m.mutable_manager_state()->mutable_jobs(0)->clear_id(); }));
  says("status is missing", refusal(of_manager(), [](auto& m) {
         m.mutable_manager_state()->mutable_jobs(0)->mutable_progress()->clear_status();
       }));
  says("protocol_version", refusal(of_worker(), [](auto& m) { m.mutable_hello()->clear_protocol_version(); }));
  EXPECT_FALSE(decode_state_sync_request({}));
}

// proves: AD25-5
TEST(StateSync, ARequestNamesWhoAsksAndItsRole) {
  const auto refused = [](const std::function<void(proto::StateSyncRequest&)>& change) {
    const auto bytes = encode_state_sync_request({.requester_id = "m1"});
    proto::StateSyncRequest message;
    EXPECT_TRUE(bytes && message.ParseFromArray(bytes->data(), static_cast<int>(bytes->size())));
    change(message);
    const std::string changed = message.SerializeAsString();
    const auto read = decode_state_sync_request(as_bytes(changed));
    return read ? std::string() : read.error().context;
  };
  EXPECT_EQ(refused([](auto&) {}), "");
  EXPECT_NE(refused([](auto& m) { m.clear_requester_id(); }).find("requester_id is missing"), std::string::npos);
  EXPECT_NE(refused([](auto& m) { m.clear_requester_role(); }).find("requester_role is missing"), std::string::npos);
}

// proves: AD25-5
TEST(StateSync, TheRequiredFieldsAreEnough) {
  const auto read = [](const proto::StateSyncResponse& message) {
    const std::string bytes = message.SerializeAsString();
    const auto response = decode_state_sync_response(as_bytes(bytes));
    EXPECT_TRUE(response) << (response ? "" : response.error().context);
    return response.value_or(StateSyncResponse());
  };
  const Handshake untold{.version = {.major = 1, .minor = 0}};
  proto::StateSyncResponse message;
  message.set_responder_id("n1");
  message.set_current_version(7);
  EXPECT_EQ(read(message), (StateSyncResponse{.responder_id = "n1", .current_version = 7, .hello = untold}));
  proto::WorkerStateSnapshot& worker_part = *message.mutable_worker_state();
  worker_part.set_node_id("n1");
  worker_part.set_state("OFFLINE");
  worker_part.set_version(8);
  EXPECT_EQ(read(message).worker_state,
            (WorkerStateSnapshot{.node_id = "n1", .state = WorkerState::kOffline, .version = 8}));
  message.clear_worker_state();
  proto::ManagerStateSnapshot& manager_part = *message.mutable_manager_state();
  manager_part.set_node_id("n1");
  manager_part.set_version(9);
  proto::JobOfManager& job_part = *manager_part.add_jobs();
  job_part.set_id("job-1");
  job_part.mutable_progress()->set_job_id("job-1");
  job_part.mutable_progress()->set_status("QUEUED");
  proto::WorkflowProgress& workflow_part = *job_part.mutable_progress()->add_workflows();
  workflow_part.set_job_id("job-1");
  workflow_part.set_workflow_id("login");
  workflow_part.set_status("ASSIGNED");
  workflow_part.add_step_stats()->set_step_name("GET /");
  WorkflowProgress progress;
  progress.job_id = "job-1";
  progress.workflow_id = "login";
  progress.status = WorkflowStatus::kAssigned;
  progress.step_stats = {{.step_name = "GET /"}};
  JobProgress of_job;
  of_job.job_id = "job-1";
  of_job.status = JobStatus::kQueued;
  of_job.workflows = {progress};
  ManagerStateSnapshot expected;
  expected.node_id = "n1";
  expected.version = 9;
  expected.jobs = {{"job-1", of_job}};
  EXPECT_EQ(read(message).manager_state, expected);
}

// proves: AD25-5
TEST(StateSync, UnknownFieldsAreIgnored) {
  const std::vector<std::uint8_t> later{0xf8, 0x06, 0x2a};  // field 111, a number
  auto asked = encode_state_sync_request({.requester_id = "m1"});
  ASSERT_TRUE(asked);
  const auto plain = decode_state_sync_request(*asked);
  ASSERT_TRUE(plain);
  asked->insert(asked->end(), later.begin(), later.end());
  EXPECT_EQ(decode_state_sync_request(*asked), *plain);
  auto told = encode_state_sync_response(of_worker());
  ASSERT_TRUE(told);
  told->insert(told->end(), later.begin(), later.end());
  EXPECT_EQ(decode_state_sync_response(*told), of_worker());
}

TEST(StateSync, LimitsAreChecked) {
  const std::string long_name(kNodeNameBytesMax + 1, 'n');
  EXPECT_NE(refusal(of_worker(), [&](auto& m) { m.set_responder_id(long_name); }), "");
  EXPECT_NE(refusal(of_worker(), [&](auto& m) { m.set_responder_id("a b"); }), "");
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1.0}) {
    EXPECT_NE(refusal(of_worker(),
                      [bad](auto& m) {
                        auto& progress = *m.mutable_worker_state()->mutable_active_workflows(0)->mutable_progress();
                        progress.set_rate_per_second(bad);
                      }),
              "");
  }
  EXPECT_NE(refusal(of_worker(),
                    [](auto& m) {
                      auto& progress = *m.mutable_worker_state()->mutable_active_workflows(0)->mutable_progress();
                      progress.set_workflow_name("\x1b[2J");
                    }),
            "");
  EXPECT_NE(refusal(of_manager(),
                    [](auto& m) {
                      const auto one = m.manager_state().workers(0);
                      while (m.manager_state().workers_size() <= static_cast<int>(kSnapshotWorkersMax))
                        *m.mutable_manager_state()->add_workers() = one;
                    }),
            "");
  const auto large = decode_state_sync_response(std::vector<std::uint8_t>(kStateSyncBytesMax + 1));
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::kTooLarge);
}

TEST(StateSync, WhatDoesNotFitAFrameIsNotWritten) {
  StateSyncResponse much = of_manager();
  for (std::size_t i = 0; i < kSnapshotWorkersMax - 2; ++i)
    much.manager_state->workers.push_back(worker("worker-" + std::to_string(i)));
  const auto bytes = encode_state_sync_response(much);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::kTooLarge);
  for (WorkerStateSnapshot& each : much.manager_state->workers) each.active_workflows.clear();
  EXPECT_TRUE(encode_state_sync_response(much)) << "as many workers without workflows as there may be do fit";
}

// A datagram has no place for jobs, progress, quorum or state sync: the codec knows no such body, and what is put where
// a body of the future would be is refused.
// proves part: OV-5 (state does not travel by UDP)
// proves part: ARCH-5 (state sync; not job, progress and quorum data)
TEST(StateSync, IsNoDatagram) {
  const auto response = encode_state_sync_response(of_worker());
  const auto request = encode_state_sync_request({.requester_id = "m1"});
  for (const auto& bytes : {*response, *request}) EXPECT_FALSE(decode_cluster(bytes));

  proto::ClusterMessage message;
  const std::vector<std::uint8_t> probe = encode_cluster(
      {.version = {},
       .sender = {.name = "m1", .role = NodeRole::kManager, .datacenter = "a", .address = address_v4(10, 0, 0, 1, 1)},
       .incarnation = Incarnation(1),
       .body = Probe{.sequence = 1, .target = address_v4(10, 0, 0, 2, 1)},
       .coordinate = {},
       .embedded_state = {},
       .gossip = {}});
  ASSERT_TRUE(decode_cluster(probe));
  ASSERT_TRUE(message.ParseFromArray(probe.data(), static_cast<int>(probe.size())));
  message.clear_body();
  std::string smuggled = message.SerializeAsString();
  // Field 33, the first that no body has, as bytes.
  smuggled += "\x8a\x02";
  smuggled += static_cast<char>(request->size());
  smuggled.append(request->begin(), request->end());
  const auto refused = decode_cluster(as_bytes(smuggled));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().context.find("a kind that this version does not know"), std::string::npos);
}

}  // namespace
}  // namespace hyperscale::wire
