#include "cluster/state_sync.h"

#include "small_cluster.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using wire::NodeRole;

const wire::NodeIdentity kSelf = identity(NodeRole::kManager, 1);
const wire::NodeIdentity kManager = identity(NodeRole::kManager, 2);
const wire::NodeIdentity kWorker = identity(NodeRole::kWorker, 1);
const wire::NodeIdentity kOtherWorker = identity(NodeRole::kWorker, 2);
const wire::NodeIdentity kFarWorker = identity(NodeRole::kWorker, 9, "dc2");
const wire::NodeIdentity kGate = identity(NodeRole::kGate, 1);

wire::StateSyncResponse worker_says(const wire::NodeIdentity& worker, std::uint64_t version, std::uint32_t cores = 8) {
  return {.responder_id = worker.name,
          .current_version = version,
          .worker_state = wire::WorkerStateSnapshot{
              .node_id = worker.name, .total_cores = cores, .available_cores = cores, .version = version}};
}

class StateSyncTest : public testing::Test {
 protected:
  std::vector<StateSync::Ask> step(const StateSync::Event& event) {
    std::vector<StateSync::Ask> asks;
    for (const auto& action : sync.step(event, now)) {
      if (const auto* ask = std::get_if<StateSync::Ask>(&action)) asks.push_back(*ask);
      if (const auto* note = std::get_if<StateSync::Note>(&action)) notes.push_back(note->text);
    }
    return asks;
  }
  static std::vector<std::string> names(const std::vector<StateSync::Ask>& asks) {
    std::vector<std::string> all;
    for (const auto& ask : asks) all.push_back(ask.member.name);
    return all;
  }
  void up(const wire::NodeIdentity& member) { step(StateSync::MemberUp{.member = member}); }
  // The only question that the event leads to.
  StateSync::Ask the_ask(const StateSync::Event& event) {
    const auto asks = step(event);
    EXPECT_EQ(asks.size(), 1u);
    return asks.empty() ? StateSync::Ask() : asks.front();
  }
  // At the time it asked for; the pause until then.
  Duration wake() {
    const Duration pause = sync.next_wake() - now;
    now = sync.next_wake();
    return pause;
  }

  MonoTime now = MonoTime() + 100s;
  StateSync sync{{.self = kSelf, .retry_first = 1s, .retry_max = 8s, .asks_max = 32, .seed = 7}};
  std::vector<std::string> notes;
};

// proves: LEAD-11
// proves part: OV-5 (what the leader asks of the others; no jobs yet, and followers synchronise nothing)
TEST_F(StateSyncTest, LeaderAsksWorkersAndManagersOfDatacenter) {
  for (const auto& member : {kManager, kWorker, kOtherWorker, kFarWorker, kGate, kSelf}) up(member);
  const auto asks = step(StateSync::BecameLeader{});
  EXPECT_THAT(names(asks), UnorderedElementsAre("manager-2", "worker-1", "worker-2"));
  for (const auto& ask : asks) {
    EXPECT_EQ(ask.request, (wire::StateSyncRequest{
                               .requester_id = "manager-1", .requester_role = NodeRole::kManager, .since_version = 0}));
  }
  EXPECT_EQ(sync.view(now).pending, 3u);
}

TEST_F(StateSyncTest, WhoDoesNotLeadAsksNobody) {
  EXPECT_THAT(step(StateSync::MemberUp{.member = kWorker}), IsEmpty());
  EXPECT_EQ(sync.next_wake(), MonoTime::max());
  EXPECT_EQ(sync.view(now).pending, 0u);
}

TEST_F(StateSyncTest, AGateThatLeadsAsksTheManagersOfAllDatacenters) {
  sync = StateSync({.self = kGate});
  const wire::NodeIdentity far = identity(NodeRole::kManager, 7, "dc2");
  for (const auto& member : {kManager, far, kWorker, identity(NodeRole::kGate, 2)}) up(member);
  EXPECT_THAT(names(step(StateSync::BecameLeader{})), UnorderedElementsAre("manager-2", "manager-7"));
}

TEST_F(StateSyncTest, AWorkerAsksNobody) {
  sync = StateSync({.self = kWorker});
  for (const auto& member : {kManager, kOtherWorker}) up(member);
  EXPECT_THAT(step(StateSync::BecameLeader{}), IsEmpty());
}

TEST_F(StateSyncTest, AMemberThatComesUpUnderALeaderIsAsked) {
  step(StateSync::BecameLeader{});
  EXPECT_THAT(names(step(StateSync::MemberUp{.member = kWorker})), ElementsAre("worker-1"));
}

// proves part: OV-5 (what the leader asks of the others; no jobs yet, and followers synchronise nothing)
TEST_F(StateSyncTest, WhatWasToldIsKnownAndItsAgeGrows) {
  up(kWorker);
  const auto ask = the_ask(StateSync::BecameLeader{});
  step(StateSync::Answered{.ask = ask.ask, .response = worker_says(kWorker, 41, 16)});
  now += 3s;
  const SyncView view = sync.view(now);
  ASSERT_EQ(view.synced.size(), 1u);
  EXPECT_EQ(view.synced[0].member.name, "worker-1");
  EXPECT_EQ(view.synced[0].version, 41u);
  EXPECT_EQ(view.synced[0].cores(), 16u);
  EXPECT_EQ(view.synced[0].age, 3s);
  EXPECT_EQ(view.pending, 0u);
}

// proves part: OV-8 (in state sync; no worker runs workflows of a job yet)
TEST_F(StateSyncTest, WorkerStateOverridesReportsOfManagers) {
  const auto with = [](std::string name, std::uint64_t version, wire::WorkflowStatus status) {
    wire::WorkerStateSnapshot state{.node_id = std::move(name), .version = version};
    state.active_workflows["login"].status = status;
    return state;
  };
  const auto status = [](const KnownWorker& worker) { return worker.state.active_workflows.at("login").status; };
  for (const auto& member : {kManager, kWorker, kOtherWorker}) up(member);
  std::map<std::string, std::uint64_t> ask;
  for (const auto& each : step(StateSync::BecameLeader{})) ask[each.member.name] = each.ask;
  wire::ManagerStateSnapshot heard;
  heard.node_id = kManager.name;
  heard.workers = {with(kWorker.name, 900, wire::WorkflowStatus::kCompleted),
                   with(kOtherWorker.name, 900, wire::WorkflowStatus::kFailed)};
  wire::StateSyncResponse own{.responder_id = kWorker.name, .current_version = 41};
  own.worker_state = with(kWorker.name, 41, wire::WorkflowStatus::kRunning);
  const std::vector<StateSync::Event> answers{
      StateSync::Answered{.ask = ask.at(kWorker.name), .response = own},
      StateSync::Answered{
          .ask = ask.at(kManager.name),
          .response = {.responder_id = kManager.name, .current_version = 5, .manager_state = std::move(heard)}}};
  for (const auto& answer : answers) step(answer);
  const auto workers = sync.view(now).workers;
  ASSERT_EQ(workers.size(), 2u);
  EXPECT_EQ(workers[0].told_by, kWorker.name);
  EXPECT_EQ(status(workers[0]), wire::WorkflowStatus::kRunning) << "though the manager's word has a higher version";
  EXPECT_EQ(workers[1].told_by, kManager.name) << "it has not spoken yet";
  EXPECT_EQ(status(workers[1]), wire::WorkflowStatus::kFailed);
  wire::StateSyncResponse late{.responder_id = kOtherWorker.name, .current_version = 7};
  late.worker_state = with(kOtherWorker.name, 7, wire::WorkflowStatus::kRunning);
  step(StateSync::Answered{.ask = ask.at(kOtherWorker.name), .response = late});
  EXPECT_EQ(status(sync.view(now).workers.at(1)), wire::WorkflowStatus::kRunning) << "its own word";
}

TEST_F(StateSyncTest, AnAnswerIsAskedForAgainAfterAWhile) {
  up(kWorker);
  const auto ask = the_ask(StateSync::BecameLeader{});
  step(StateSync::Answered{.ask = ask.ask, .response = worker_says(kWorker, 41)});
  EXPECT_THAT(step(StateSync::Tick{}), IsEmpty());
  const Duration pause = wake();
  EXPECT_LE(pause, 60s);
  EXPECT_GE(pause, 45s);
  const auto again = the_ask(StateSync::Tick{});
  EXPECT_EQ(again.request.since_version, 41u);
  // Restarted so fast that nobody missed it: it counts from the beginning, and its word is taken.
  step(StateSync::Answered{.ask = again.ask, .response = worker_says(kWorker, 1, 4)});
  EXPECT_EQ(sync.view(now).synced.at(0).version, 1u);
  EXPECT_EQ(sync.view(now).synced[0].cores(), 4u);
  step(StateSync::LostLeadership{});
  EXPECT_EQ(sync.next_wake(), MonoTime::max());
}

TEST_F(StateSyncTest, TheNextTermAsksForWhatIsNewerOnly) {
  up(kWorker);
  auto ask = the_ask(StateSync::BecameLeader{});
  step(StateSync::Answered{.ask = ask.ask, .response = worker_says(kWorker, 41)});
  step(StateSync::LostLeadership{});
  now += 60s;
  ask = the_ask(StateSync::BecameLeader{});
  EXPECT_EQ(ask.request.since_version, 41u);
  step(StateSync::Answered{.ask = ask.ask, .response = {.responder_id = "worker-1", .current_version = 41}});
  ASSERT_EQ(sync.view(now).synced.size(), 1u);
  EXPECT_EQ(sync.view(now).synced[0].cores(), 8u);
  EXPECT_EQ(sync.view(now).synced[0].age, 0s) << "confirmed to be current";
}

TEST_F(StateSyncTest, FailedRequestRetriesWithCappedBackoff) {
  up(kWorker);
  auto ask = the_ask(StateSync::BecameLeader{});
  for (const Duration most : {1s, 2s, 4s, 8s, 8s, 8s}) {
    EXPECT_THAT(step(StateSync::Failed{.ask = ask.ask, .why = "nobody there"}), IsEmpty());
    const Duration pause = wake();
    EXPECT_LE(pause, most);
    EXPECT_GE(pause, most * 3 / 4);
    ask = the_ask(StateSync::Tick{});
  }
  EXPECT_EQ(sync.view(now).failed, 6u);
  EXPECT_THAT(notes, ElementsAre(HasSubstr("no state of worker-1 yet: nobody there"))) << "said once";
}

TEST_F(StateSyncTest, ATickBeforeItsTimeAsksNothing) {
  up(kWorker);
  const auto ask = the_ask(StateSync::BecameLeader{});
  step(StateSync::Failed{.ask = ask.ask, .why = ""});
  EXPECT_THAT(step(StateSync::Tick{}), IsEmpty());
}

// proves part: AD31-5 (votes, workers of jobs, state sync; not the count of workers, not primary managers)
TEST_F(StateSyncTest, RetriesEndWhenTheMemberIsDown) {
  up(kWorker);
  const auto ask = the_ask(StateSync::BecameLeader{});
  step(StateSync::Failed{.ask = ask.ask, .why = ""});
  step(StateSync::MemberDown{.member = kWorker});
  step(StateSync::MemberDown{.member = kWorker});
  EXPECT_EQ(sync.next_wake(), MonoTime::max());
  now += 60s;
  EXPECT_THAT(step(StateSync::Tick{}), IsEmpty());
}

TEST_F(StateSyncTest, RetriesEndWhenLeadershipIsLost) {
  up(kWorker);
  const auto ask = the_ask(StateSync::BecameLeader{});
  step(StateSync::Failed{.ask = ask.ask, .why = ""});
  step(StateSync::LostLeadership{});
  EXPECT_EQ(sync.next_wake(), MonoTime::max());
  now += 60s;
  EXPECT_THAT(step(StateSync::Tick{}), IsEmpty());
}

TEST_F(StateSyncTest, AFailureAfterLeadershipWasLostIsNotRepeated) {
  up(kWorker);
  const auto ask = the_ask(StateSync::BecameLeader{});
  step(StateSync::LostLeadership{});
  step(StateSync::Failed{.ask = ask.ask, .why = ""});
  EXPECT_EQ(sync.next_wake(), MonoTime::max());
}

TEST_F(StateSyncTest, ReturningMemberIsAskedForFullState) {
  up(kWorker);
  const auto ask = the_ask(StateSync::BecameLeader{});
  step(StateSync::Answered{.ask = ask.ask, .response = worker_says(kWorker, 41)});
  step(StateSync::MemberDown{.member = kWorker});
  EXPECT_THAT(sync.view(now).synced, IsEmpty());
  EXPECT_EQ(the_ask(StateSync::MemberUp{.member = kWorker}).request.since_version, 0u);
}

TEST_F(StateSyncTest, AnAnswerThatComesAfterTheDeathChangesNothing) {
  up(kWorker);
  const auto first = the_ask(StateSync::BecameLeader{});
  step(StateSync::MemberDown{.member = kWorker});
  step(StateSync::Answered{.ask = first.ask, .response = worker_says(kWorker, 41)});
  EXPECT_THAT(sync.view(now).synced, IsEmpty());
  const auto second = the_ask(StateSync::MemberUp{.member = kWorker});
  step(StateSync::Answered{.ask = first.ask, .response = worker_says(kWorker, 41)});
  EXPECT_THAT(sync.view(now).synced, IsEmpty()) << "the question of the life before";
  step(StateSync::Answered{.ask = second.ask, .response = worker_says(kWorker, 1)});
  EXPECT_EQ(sync.view(now).synced.at(0).version, 1u);
}

TEST_F(StateSyncTest, WrongOrEmptyResponseIsRetried) {
  up(kWorker);
  const auto ask = the_ask(StateSync::BecameLeader{});
  step(StateSync::Answered{.ask = ask.ask, .response = worker_says(kOtherWorker, 41)});
  EXPECT_THAT(sync.view(now).synced, IsEmpty());
  wake();
  const auto again = the_ask(StateSync::Tick{});
  step(StateSync::Answered{.ask = again.ask, .response = {.responder_id = "worker-1", .current_version = 5}});
  EXPECT_THAT(sync.view(now).synced, IsEmpty());
  EXPECT_LT(sync.next_wake(), MonoTime::max());
}

TEST_F(StateSyncTest, OnlySoManyQuestionsAreOnTheirWayAtOnce) {
  sync = StateSync({.self = kSelf, .asks_max = 2});
  for (std::uint8_t i = 1; i <= 5; ++i) up(identity(NodeRole::kWorker, i));
  auto asks = step(StateSync::BecameLeader{});
  std::set<std::string> asked;
  std::size_t most = asks.size();
  while (!asks.empty()) {
    const auto ask = asks.front();
    asks.erase(asks.begin());
    asked.insert(ask.member.name);
    for (auto& next : step(StateSync::Answered{.ask = ask.ask, .response = worker_says(ask.member, 1)}))
      asks.push_back(next);
    most = std::max(most, asks.size());
  }
  EXPECT_EQ(most, 2u);
  EXPECT_EQ(asked.size(), 5u);
  EXPECT_EQ(sync.view(now).synced.size(), 5u);
}

TEST_F(StateSyncTest, EqualSeedsGiveEqualPauses) {
  const auto run = [](std::uint64_t seed) {
    StateSync one({.self = kSelf, .retry_first = 1s, .seed = seed});
    one.step(StateSync::MemberUp{.member = kWorker}, MonoTime());
    one.step(StateSync::BecameLeader{}, MonoTime());
    one.step(StateSync::Failed{.ask = 1, .why = ""}, MonoTime());
    return one.next_wake();
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

StateSync::SelfState self_state(std::uint32_t cores, bool leads = false) {
  return {.incarnation = wire::Incarnation(3),
          .term = wire::Term(9),
          .latest_term = wire::Term(1'000),
          .leads = leads,
          .total_cores = cores,
          .available_cores = cores};
}

// Asked by somebody who is who it says it is.
Result<wire::StateSyncResponse> answer_of(StateSync& sync, const wire::StateSyncRequest& request,
                                          const StateSync::SelfState& self) {
  wire::NodeIdentity known = identity(request.requester_role, 77);
  known.name = request.requester_id;
  return sync.answer(request, known, self);
}

wire::StateSyncRequest asked_by(NodeRole role, std::uint64_t since = 0) {
  return {.requester_id = "someone", .requester_role = role, .since_version = since};
}

// proves: MSG-TCP-15
// proves part: OV-7 (the count that is told)
// proves part: OV-5 (what the leader asks of the others; no jobs yet, and followers synchronise nothing)
TEST(StateSyncAnswer, AWorkerGivesItsSnapshotToManagers) {
  StateSync worker({.self = kWorker});
  StateSync::SelfState self = self_state(12);
  self.available_cores = 5;
  const auto answer = answer_of(worker, asked_by(NodeRole::kManager), self);
  ASSERT_TRUE(answer);
  ASSERT_TRUE(answer->worker_state);
  EXPECT_FALSE(answer->manager_state);
  EXPECT_EQ(answer->responder_id, "worker-1");
  EXPECT_EQ(answer->worker_state->total_cores, 12u);
  EXPECT_EQ(answer->worker_state->available_cores, 5u);
  EXPECT_EQ(answer->worker_state->version, answer->current_version);
  EXPECT_THAT(answer->worker_state->active_workflows, IsEmpty());
}

TEST(StateSyncAnswer, WhoIsNotWhoItSaysItIsGetsNoAnswer) {
  StateSync worker({.self = kWorker});
  const auto ask = [&](const std::optional<wire::NodeIdentity>& known) {
    const auto answer = worker.answer(asked_by(NodeRole::kManager), known, self_state(12));
    if (!answer) EXPECT_EQ(answer.error().code, ErrorCode::kUnauthorized);
    return answer.has_value();
  };
  wire::NodeIdentity known = kManager;
  EXPECT_FALSE(ask(std::nullopt));
  EXPECT_FALSE(ask(known)) << "another name";
  known.name = "someone";
  EXPECT_TRUE(ask(known));
  known.role = NodeRole::kWorker;
  EXPECT_FALSE(ask(known)) << "another role";
}

// proves: MSG-TCP-15
// proves part: MSG-TCP-14 (every field; a snapshot is sent when versions differ, not only when it is newer)
TEST(StateSyncAnswer, OnlyWhatIsNewerIsSent) {
  StateSync worker({.self = kWorker});
  const auto first = answer_of(worker, asked_by(NodeRole::kManager), self_state(12));
  const auto again = answer_of(worker, asked_by(NodeRole::kManager, first->current_version), self_state(12));
  EXPECT_EQ(again->current_version, first->current_version);
  EXPECT_FALSE(again->worker_state);
  const auto changed = answer_of(worker, asked_by(NodeRole::kManager, first->current_version), self_state(11));
  EXPECT_GT(changed->current_version, first->current_version);
  EXPECT_TRUE(changed->worker_state);
}

// A worker keeps nothing on disk: after a restart it may have its old incarnation, and must not be taken for unchanged.
TEST(StateSyncAnswer, ARestartIsNews) {
  StateSync before({.self = kWorker, .seed = 1});
  const auto first = answer_of(before, asked_by(NodeRole::kManager), self_state(12));
  StateSync after({.self = kWorker, .seed = 2});
  const auto second = answer_of(after, asked_by(NodeRole::kManager, first->current_version), self_state(4));
  ASSERT_TRUE(second->worker_state);
  EXPECT_EQ(second->worker_state->total_cores, 4u);
}

// proves: MSG-TCP-15
// proves part: OV-5 (what the leader asks of the others; no jobs yet, and followers synchronise nothing)
TEST(StateSyncAnswer, AManagerTellsTheWorkersThatItKnows) {
  StateSync manager({.self = kManager});
  manager.step(StateSync::MemberUp{.member = kWorker}, MonoTime());
  manager.step(StateSync::BecameLeader{}, MonoTime());
  const auto before = answer_of(manager, asked_by(NodeRole::kGate), self_state(1, true));
  manager.step(StateSync::Answered{.ask = 1, .response = worker_says(kWorker, 5, 24)}, MonoTime());
  const auto answer = answer_of(manager, asked_by(NodeRole::kGate, before->current_version), self_state(1, true));
  ASSERT_TRUE(answer && answer->manager_state);
  EXPECT_FALSE(answer->worker_state);
  EXPECT_EQ(answer->responder_id, "manager-2");
  EXPECT_GT(answer->current_version, before->current_version);
  EXPECT_EQ(answer->manager_state->version, answer->current_version);
  EXPECT_TRUE(answer->manager_state->is_leader);
  EXPECT_EQ(answer->manager_state->term, wire::Term(9));
  ASSERT_EQ(answer->manager_state->workers.size(), 1u);
  EXPECT_EQ(answer->manager_state->workers[0].total_cores, 24u);
}

TEST(StateSyncAnswer, ARoleThatMayNotConnectGetsNoAnswer) {
  StateSync worker({.self = kWorker});
  for (const NodeRole role : {NodeRole::kGate, NodeRole::kWorker}) {
    const auto answer = answer_of(worker, asked_by(role), self_state(12));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::kUnauthorized);
    EXPECT_THAT(answer.error().context, HasSubstr("cannot connect to 'worker'"));
  }
}

// Nodes of different versions and with different capabilities (AD-25), and leaders whose term is over (AD-10).
wire::Handshake hello(std::uint16_t minor, std::vector<std::string> capabilities) {
  return {.version = {.major = 1, .minor = minor}, .capabilities = std::move(capabilities)};
}

class StateSyncVersions : public testing::Test {
 protected:
  // The features that a leader of version 1.2 has with a worker that says this about itself.
  static wire::Agreement agreed_with(const wire::Handshake& worker) {
    StateSync leader = leader_of(kEverything);
    wire::StateSyncResponse answer = worker_says(kWorker, 5);
    answer.hello = worker;
    leader.step(StateSync::Answered{.ask = 1, .response = answer}, MonoTime());
    const auto synced = leader.view(MonoTime()).synced;
    return synced.empty() ? wire::Agreement() : synced[0].agreed;
  }
  static StateSync leader_of(const wire::Handshake& hello) {
    StateSync leader({.self = kSelf, .hello = hello});
    leader.step(StateSync::MemberUp{.member = kWorker}, MonoTime());
    leader.step(StateSync::BecameLeader{.fence = kToken}, MonoTime());
    return leader;
  }

  static constexpr std::uint64_t kToken = election::fencing_token(wire::Term(9), 1).value();
  static inline const wire::Handshake kEverything =
      hello(2, {"cancellation", "batched_stats", "client_reconnection", "fence_tokens"});
};

// proves: AD25-3
TEST_F(StateSyncVersions, BothSidesUseWhatBothHave) {
  const auto agreed = agreed_with(hello(2, {"fence_tokens", "cancellation"}));
  EXPECT_THAT(agreed.features, ElementsAre("cancellation", "fence_tokens"));
  EXPECT_THAT(agreed_with(hello(2, {})).features, IsEmpty());
}

// proves: AD25-4
TEST_F(StateSyncVersions, AFeatureNeedsAVersionThatHasItOnBothSides) {
  for (const auto& [minor, features] :
       {std::pair(std::uint16_t{0}, std::vector<std::string>{"cancellation"}),
        {std::uint16_t{1}, {"batched_stats", "cancellation"}},
        {std::uint16_t{2}, {"batched_stats", "cancellation", "client_reconnection", "fence_tokens"}}}) {
    EXPECT_EQ(agreed_with(hello(minor, kEverything.capabilities)).features, features) << "whatever it says it has";
  }
}

// proves: AD25-2
// proves part: AD25-6 (state sync between minor versions)
TEST_F(StateSyncVersions, NewerNodeSpeaksTheOlderVersion) {
  const auto agreed = agreed_with(hello(7, {"fence_tokens", "telepathy"}));
  EXPECT_EQ(agreed.version, (wire::ProtocolVersion{.major = 1, .minor = 2}));
  EXPECT_THAT(agreed.features, ElementsAre("fence_tokens"));

  StateSync leader({.self = kSelf, .hello = kEverything, .refresh = 60s});
  leader.step(StateSync::MemberUp{.member = kWorker}, MonoTime());
  const auto question = [](const Actions<StateSync::Action>& actions) {
    return std::get<StateSync::Ask>(actions.at(0)).request;
  };
  EXPECT_EQ(question(leader.step(StateSync::BecameLeader{.fence = kToken}, MonoTime())).fence, kToken);
  wire::StateSyncResponse answer = worker_says(kWorker, 5);
  answer.hello = hello(1, {"batched_stats"});
  leader.step(StateSync::Answered{.ask = 1, .response = answer}, MonoTime());
  EXPECT_EQ(leader.view(MonoTime()).synced.at(0).agreed.version, (wire::ProtocolVersion{.major = 1, .minor = 1}));
  EXPECT_EQ(question(leader.step(StateSync::Tick{}, MonoTime() + 61s)).fence, 0U)
      << "an older one is not bothered with tokens";
  StateSync worker({.self = kWorker, .hello = hello(2, {"fence_tokens"})});
  wire::StateSyncRequest old = asked_by(NodeRole::kManager);
  old.hello = hello(1, {});
  EXPECT_TRUE(answer_of(worker, old, self_state(12))) << "an older one is not asked for them";
}

// A worker that is upgraded so fast that nobody misses it asks for what it did not know before.
TEST_F(StateSyncVersions, AfterARefusalNothingIsTakenForAgreed) {
  StateSync leader = leader_of(kEverything);
  wire::StateSyncResponse old = worker_says(kWorker, 5);
  old.hello = hello(1, {});
  leader.step(StateSync::Answered{.ask = 1, .response = old}, MonoTime());
  const auto question = [&](MonoTime now) {
    return std::get<StateSync::Ask>(leader.step(StateSync::Tick{}, now).at(0));
  };
  const auto untold = question(MonoTime() + 61s);
  EXPECT_EQ(untold.request.fence, 0U);
  leader.step(StateSync::Failed{.ask = untold.ask, .why = "it asks without a fencing token"}, MonoTime() + 61s);
  EXPECT_EQ(question(MonoTime() + 70s).request.fence, kToken);
}

// proves: AD25-1
TEST_F(StateSyncVersions, AnotherMajorVersionIsRefusedBothWays) {
  StateSync worker({.self = kWorker, .hello = kEverything});
  wire::StateSyncRequest foreign = asked_by(NodeRole::kManager);
  foreign.hello.version.major = 2;
  const auto answer = answer_of(worker, foreign, self_state(12));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kConflict);
  StateSync leader = leader_of(kEverything);
  wire::StateSyncResponse said = worker_says(kWorker, 5);
  said.hello.version.major = 2;
  leader.step(StateSync::Answered{.ask = 1, .response = said}, MonoTime());
  EXPECT_THAT(leader.view(MonoTime()).synced, IsEmpty());
}

// proves part: AD10-2 (the guard, and state sync with the term it is given; not that a node gives the one it knows)
TEST_F(StateSyncVersions, OnlyATokenOfTheNewestKnownTermIsGood) {
  StateSync worker({.self = kWorker, .hello = kEverything});
  const auto ask = [&](NodeRole role, std::uint64_t term, std::uint64_t known_term) {
    wire::StateSyncRequest request = asked_by(role);
    request.hello = kEverything;
    request.fence = term == 0 ? 0 : election::fencing_token(wire::Term(term), 1).value();
    StateSync::SelfState self = self_state(12);
    self.term = wire::Term(known_term);
    const auto answer = answer_of(worker, request, self);
    if (!answer) EXPECT_EQ(answer.error().code, ErrorCode::kConflict);
    return answer.has_value();
  };
  EXPECT_FALSE(ask(NodeRole::kManager, 0, 0)) << "without a token";
  EXPECT_TRUE(ask(NodeRole::kManager, 4, 4)) << "of the term that is known";
  EXPECT_FALSE(ask(NodeRole::kManager, 3, 4));
  EXPECT_TRUE(ask(NodeRole::kManager, 6, 4)) << "of a newer one";
  EXPECT_FALSE(ask(NodeRole::kManager, 5, 4)) << "which is known from then on";
  EXPECT_FALSE(ask(NodeRole::kManager, 6, 7)) << "a newer one was heard of otherwise";
  EXPECT_EQ(worker.view(MonoTime()).refused_stale, 4U);
  EXPECT_FALSE(ask(NodeRole::kManager, 1'001, 7)) << "no term that a group can have reached";
  EXPECT_TRUE(ask(NodeRole::kManager, 8, 7)) << "which locks nobody out";
}

// proves part: AD10-2 (the guard, and state sync with the term it is given; not that a node gives the one it knows)
TEST_F(StateSyncVersions, TermsOfGatesAndOfManagersAreCountedApart) {
  StateSync manager({.self = kManager, .hello = kEverything});
  const auto ask = [&](NodeRole role, std::uint64_t term) {
    wire::StateSyncRequest request = asked_by(role);
    request.hello = kEverything;
    request.fence = election::fencing_token(wire::Term(term), 1).value();
    return answer_of(manager, request, self_state(1)).has_value();
  };
  EXPECT_TRUE(ask(NodeRole::kManager, 9));
  EXPECT_TRUE(ask(NodeRole::kGate, 2)) << "the gates are in their second term";
  EXPECT_TRUE(ask(NodeRole::kGate, 3));
  EXPECT_FALSE(ask(NodeRole::kGate, 2));
}

}  // namespace
}  // namespace hyperscale::cluster
