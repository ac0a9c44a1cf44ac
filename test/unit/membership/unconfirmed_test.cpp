#include "one_node.h"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::membership::test {
namespace {

using wire::NodeRole;
using wire::UpdateKind;

// A manager that knows manager 2 and has heard of `peer` from it.
OneNode that_heard_of(const wire::NodeIdentity& peer) {
  OneNode node(manager(1));
  node.meet(manager(2));
  node.hear(manager(2), update(UpdateKind::kJoin, peer, 1, peer));
  EXPECT_EQ(node.state(peer), MemberState::kUnconfirmed);
  node.log.clear();
  return node;
}
std::vector<AuditEntry> audited(const OneNode& node, AuditEvent event, const wire::NodeIdentity& peer) {
  std::vector<AuditEntry> found;
  for (const AuditEntry& entry : node.core.audit().entries()) {
    if (entry.event == event && entry.subject == peer.address) found.push_back(entry);
  }
  return found;
}
bool was_suspected_or_died(const OneNode& node, const wire::NodeIdentity& peer) {
  return !audited(node, AuditEvent::kSuspected, peer).empty() || !audited(node, AuditEvent::kDied, peer).empty();
}

// proves: AD29-4, AD29-8
// proves part: AD35-LIFE-2 (probes, refusals and gossip; not: a suspicion of the job layer)
TEST(Unconfirmed, AnUnreachablePeerOfTheConfigurationNeverDies) {
  Config config = Config::scaled_to(1s, NodeRole::kManager);
  config.seeds = {{manager(9).address, NodeRole::kManager}};
  OneNode node(manager(1), config);
  node.meet(manager(2));
  node.advance(30min, node.answering({manager(2)}));
  EXPECT_FALSE(node.sent<wire::Probe>(manager(9)).empty());
  EXPECT_FALSE(was_suspected_or_died(node, manager(9)));
  EXPECT_TRUE(node.all<Membership::MemberDown>().empty());
  EXPECT_EQ(node.core.counters().suspicions_started, 0);
}

// proves: AD29-4
TEST(Unconfirmed, IsNotSuspectedForAJobEither) {
  OneNode node = that_heard_of(manager(9));
  const auto suspect = [&] { return node.core.suspect_job("job-1", manager(9).address, manager(1).address, node.now); };
  EXPECT_FALSE(suspect());
  node.advance(60s, node.answering({manager(2)}));
  EXPECT_TRUE(node.all<Membership::JobNodeDown>().empty());
  node.receive(manager(9), wire::Ack{});
  EXPECT_TRUE(suspect());
}

// proves part: AD29-6 (text, time and counter; not that a node's log has it as a warning)
TEST(Unconfirmed, IsWarnedAboutOnceAfterAMinute) {
  Config config = Config::scaled_to(1s, NodeRole::kManager);
  config.seeds = {{wire::address_v4(10, 0, 0, 9, 7100), NodeRole::kManager}};
  OneNode node(manager(1), config);
  const std::string wanted = "Peer 10.0.0.9:7100 still unconfirmed after 60s - check configuration";
  const auto warnings = [&] {
    std::size_t count = 0;
    for (const auto& note : node.all<Membership::Note>()) count += note.warning && note.text == wanted ? 1 : 0;
    return count;
  };
  node.advance(59s);
  EXPECT_EQ(warnings(), 0);
  node.advance(2s);
  EXPECT_EQ(warnings(), 1);
  EXPECT_EQ(node.core.counters().warned_unconfirmed, 1);
  node.advance(20s);
  EXPECT_EQ(warnings(), 1);
  OneNode told = that_heard_of(gate(9));
  told.advance(61s, told.answering({manager(2)}));
  EXPECT_EQ(told.core.counters().warned_unconfirmed, 1) << "of one that others told of as well";
}

// proves: AD29-8
// proves part: AD35-OBS-1 (names, kinds, log lines, most counts; not: success counted only where it was asked)
// proves part: SWIM-1 (states, timers, gossip and callbacks; no manager gives out work by them yet)
// proves part: AD35-LIFE-1 (any message makes a peer ALIVE, not only an ack both ways)
// proves part: AD29-2 (every message but a leave)
TEST(Unconfirmed, EveryValidMessageConfirms) {
  const std::vector<wire::ClusterBody> bodies{
      wire::Ack{},
      wire::Probe{.sequence = 1, .target = manager(1).address},
      wire::Join{},
      wire::Nack{},
      wire::IndirectAck{},
      wire::PingReq{.sequence = 1, .target = manager(1).address},
      wire::Announce{.update = update(UpdateKind::kAlive, manager(9), 1, manager(9))},
      wire::SyncRequest{},
      wire::SyncPage{},
      wire::LeaderHeartbeat{},
      wire::PreVoteRequest{}};
  for (const wire::ClusterBody& body : bodies) {
    OneNode node = that_heard_of(manager(9));
    node.receive(manager(9), body);
    EXPECT_EQ(node.state(manager(9)), MemberState::kAlive) << body.index();
    ASSERT_EQ(node.all<Membership::MemberUp>().size(), 1);
    EXPECT_FALSE(node.all<Membership::MemberUp>().front().recovered);
    EXPECT_EQ(node.core.counters().confirmations, 1);
  }
}

// proves part: AD29-3 (configuration and gossip; not DNS results)
TEST(Unconfirmed, GossipDoesNotConfirmHoweverOftenItIsHeard) {
  OneNode node = that_heard_of(manager(9));
  for (std::uint64_t i = 1; i < 10; ++i) {
    const auto told = update(UpdateKind::kAlive, manager(9), i, manager(9));
    node.hear(manager(2), told);
    node.receive(manager(2), wire::Ack{}, 1, {told});
    node.receive(manager(2), wire::SyncPage{.members = {told}});
  }
  EXPECT_EQ(node.state(manager(9)), MemberState::kUnconfirmed);
  EXPECT_TRUE(node.all<Membership::MemberUp>().empty());
}

// proves: AD29-1
TEST(Unconfirmed, ToHearOfAConfirmedPeerChangesNothing) {
  OneNode node(manager(1));
  node.meet(manager(2));
  node.meet(manager(3));
  node.hear(manager(2), update(UpdateKind::kJoin, manager(3), 1, manager(3)));
  EXPECT_EQ(node.state(manager(3)), MemberState::kAlive);
  EXPECT_EQ(node.core.counters().peers_unconfirmed, 0);
  EXPECT_EQ(node.core.present_count(), 2);
  EXPECT_EQ(node.all<Membership::MemberUp>().size(), 2) << "told when it was met, and not again";
  node.advance(200s, node.answering({manager(2), manager(3)}));
  EXPECT_EQ(node.state(manager(3)), MemberState::kAlive) << "nor does a time run against it";
}

struct Lifecycle {
  wire::NodeIdentity peer;
  Duration passive;
  std::uint64_t attempts;
};

class UnconfirmedByRole : public ::testing::TestWithParam<Lifecycle> {};

// proves: AD35-ROLE-3, AD35-ROLE-4, AD35-ROLE-5, AD35-ROLE-7, AD35-SC-3, AD35-SC-5
// proves part: AD35-OBS-1 (names, kinds, log lines, most counts; not: success counted only where it was asked)
// proves part: AD35-LIFE-1 (any message makes a peer ALIVE, not only an ack both ways)
// proves part: AD35-ROLE-1 (gossip before configuration; port ranges and names only in a function that no node calls)
TEST_P(UnconfirmedByRole, IsAwaitedProbedAndRemovedWithoutDeath) {
  const auto& [peer, passive, attempts] = GetParam();
  OneNode node = that_heard_of(peer);
  const MonoTime learned = node.now;
  const auto world = node.answering({manager(2)});
  const auto counted = [&] { return node.core.counters().confirmation_attempts[peer.role]; };
  node.advance(passive - 100ms, world);
  EXPECT_EQ(counted(), 0);
  const auto waited = node.core.member(peer.address, node.now).value();
  EXPECT_EQ(waited.in_state_for, passive - 100ms);
  EXPECT_EQ(waited.passive_timeout_remaining, 100ms);
  EXPECT_EQ(waited.next_attempt_in, attempts == 0 ? std::nullopt : std::optional<Duration>(100ms));
  // Its turns in the rounds come as well, but at other moments.
  const auto asked_at = [&](MonoTime time) {
    return std::ranges::any_of(node.log, [&](const OneNode::Logged& logged) {
      const auto* send = std::get_if<Membership::Send>(&logged.action);
      return send != nullptr && logged.time == time && send->to == peer.address &&
             std::holds_alternative<wire::Probe>(send->message.body);
    });
  };
  for (std::uint64_t attempt = 1; attempt <= attempts; ++attempt) {
    node.advance(attempt == 1 ? 200ms : 5s, world);
    EXPECT_EQ(counted(), attempt);
    EXPECT_TRUE(asked_at(learned + passive + (attempt - 1) * Duration(5s))) << "asked, and not only counted";
    EXPECT_EQ(node.state(peer), MemberState::kUnconfirmed);
    EXPECT_EQ(node.core.member(peer.address, node.now)->confirmation_attempts, attempt);
    EXPECT_EQ(node.core.member(peer.address, node.now)->next_attempt_in, Duration(4900ms));
  }
  node.advance(attempts == 0 ? 200ms : 5s, world);
  EXPECT_EQ(counted(), attempts);
  EXPECT_FALSE(asked_at(learned + passive + attempts * Duration(5s))) << "not once more, a worker never";
  EXPECT_FALSE(node.knows(peer));
  EXPECT_EQ(node.core.counters().unconfirmed_removed[peer.role], 1);
  EXPECT_EQ(node.core.counters().unconfirmed_removed.total(), 1);
  const auto removed = audited(node, AuditEvent::kUnconfirmedPeerRemoved, peer);
  ASSERT_EQ(removed.size(), 1);
  EXPECT_EQ(removed.front().time - learned, passive + attempts * Duration(5s));
  EXPECT_FALSE(was_suspected_or_died(node, peer));
  EXPECT_TRUE(node.all<Membership::MemberDown>().empty());
  // Nothing is remembered: the same incarnation may come back.
  node.hear(manager(2), update(UpdateKind::kJoin, peer, 1, peer));
  EXPECT_EQ(node.state(peer), MemberState::kUnconfirmed);
}

INSTANTIATE_TEST_SUITE_P(Roles, UnconfirmedByRole,
                         ::testing::Values(Lifecycle{gate(9), 120s, 5}, Lifecycle{manager(9), 90s, 3},
                                           Lifecycle{worker(9), 180s, 0}),
                         [](const auto& info) { return kind(info.param.peer); });

// proves part: AD35-ROLE-6 (the cap in the table; a node's own multiplier ends at 3, so nobody is waited for that long)
TEST(Unconfirmed, ANodeThatIsSlowItselfWaitsLongerForAWorker) {
  OneNode node(manager(1));
  node.meet(manager(2));
  for (int i = 0; i < 8; ++i) node.feed(Membership::LoopLag{.late = 5s, .period = 1s});
  ASSERT_EQ(node.core.health_multiplier(), 3);
  node.hear(manager(2), update(UpdateKind::kJoin, worker(9), 1, worker(9)));
  EXPECT_EQ(node.core.member(worker(9).address, node.now)->passive_timeout_remaining, 3 * 180s);
}

struct Relation {
  wire::NodeIdentity self;
  wire::NodeIdentity peer;
};

class UnconfirmedByRelation : public ::testing::TestWithParam<Relation> {};

// Gates with gates, managers with managers, a worker with its managers.
// proves: AD29-7, AD29-8
// proves part: AD35-LIFE-1 (any message makes a peer ALIVE, not only an ack both ways)
// proves part: AD29-3 (configuration and gossip; not DNS results)
TEST_P(UnconfirmedByRelation, CanFailOnlyAfterItWasHeard) {
  const auto& [self, peer] = GetParam();
  Config config = Config::scaled_to(1s, self.role);
  config.seeds = {{peer.address, peer.role}};
  OneNode node(self, config);
  node.advance(80s);
  EXPECT_FALSE(node.sent<wire::Probe>(peer).empty());
  EXPECT_EQ(node.state(peer), MemberState::kUnconfirmed);
  EXPECT_FALSE(was_suspected_or_died(node, peer));
  EXPECT_EQ(node.core.present_count(), 0) << "not in the active set";
  node.receive(peer, wire::Ack{});
  EXPECT_EQ(node.state(peer), MemberState::kAlive);
  ASSERT_EQ(node.all<Membership::MemberUp>().size(), 1);
  EXPECT_EQ(node.core.present_count(), 1);
  node.advance(10min);
  EXPECT_EQ(audited(node, AuditEvent::kSuspected, peer).size(), 1);
  EXPECT_EQ(audited(node, AuditEvent::kDied, peer).size(), 1);
  EXPECT_EQ(node.all<Membership::MemberDown>().size(), 1);
}

INSTANTIATE_TEST_SUITE_P(Relations, UnconfirmedByRelation,
                         ::testing::Values(Relation{gate(1), gate(2)}, Relation{manager(1), manager(2)},
                                           Relation{worker(1), manager(2)}),
                         [](const auto& info) { return kind(info.param.self) + "_of_" + kind(info.param.peer); });

std::vector<std::string> lines(const OneNode& node, const std::string& kind) {
  std::vector<std::string> found;
  for (const auto& note : node.all<Membership::Note>())
    if (note.text.starts_with(kind)) found.push_back(note.text);
  return found;
}

// proves part: AD35-OBS-1 (names, kinds, log lines, most counts; not: success counted only where it was asked)
// proves part: AD35-LIFE-1 (any message makes a peer ALIVE, not only an ack both ways)
TEST(Unconfirmed, LogsAndCountsAttemptsAndRemovalsByRole) {
  OneNode node = that_heard_of(manager(9));
  node.hear(manager(2), update(UpdateKind::kJoin, gate(8), 1, gate(8)));
  node.hear(manager(2), update(UpdateKind::kJoin, worker(7), 1, worker(7)));
  node.hear(manager(2), update(UpdateKind::kDead, worker(7), 1, manager(2)));
  const std::string at9 = wire::to_string(manager(9).address);
  const std::string at8 = wire::to_string(gate(8).address);
  const std::string at7 = wire::to_string(worker(7).address);
  EXPECT_EQ(lines(node, "PeerUnconfirmedCleanup"),
            std::vector{"PeerUnconfirmedCleanup peer=" + at7 + " role=worker reason=gone elapsed_ms=0"});
  node.advance(96s, node.answering({manager(2)}));
  const std::string attempt = "RoleConfirmationAttempt peer=" + at9 + " role=manager attempts=";
  EXPECT_EQ(lines(node, "RoleConfirmationAttempt"),
            (std::vector{attempt + "1 outcome=asked", attempt + "2 outcome=asked"}));
  node.receive(manager(9), wire::Ack{});
  EXPECT_EQ(lines(node, "RoleConfirmationAttempt").back(), attempt + "2 outcome=confirmed");
  EXPECT_EQ(lines(node, "PeerConfirmed"),
            std::vector{"PeerConfirmed peer=" + at9 + " role=manager rtt_ms=- error_ms=50.000 samples=0"});
  node.advance(60s, node.answering({manager(2), manager(9)}));
  EXPECT_EQ(lines(node, "RoleConfirmationAttempt").back(),
            "RoleConfirmationAttempt peer=" + at8 + " role=gate attempts=5 outcome=exhausted");
  EXPECT_EQ(lines(node, "PeerUnconfirmedCleanup").back(),
            "PeerUnconfirmedCleanup peer=" + at8 + " role=gate reason=timeout elapsed_ms=145000");
  const Counters counters = node.core.counters();
  EXPECT_EQ(counters.unconfirmed_removed[NodeRole::kGate], 1);
  EXPECT_EQ(counters.unconfirmed_removed[NodeRole::kWorker], 1);
  EXPECT_EQ(counters.unconfirmed_removed_by_timeout[NodeRole::kGate], 1);
  EXPECT_EQ(counters.unconfirmed_removed_by_gossip[NodeRole::kWorker], 1);
  EXPECT_EQ(counters.unconfirmed_removed_by_timeout.total() + counters.unconfirmed_removed_by_gossip.total(), 2);
}

// The round trip and the coordinate of the answer that confirms it are already in the line.
// proves part: AD35-OBS-1 (names, kinds, log lines, most counts; not: success counted only where it was asked)
// proves part: AD35-LIFE-1 (any message makes a peer ALIVE, not only an ack both ways)
TEST(Unconfirmed, ConfirmationIsLoggedWithRoundTrip) {
  OneNode node = that_heard_of(manager(9));
  wire::ClusterMessage answer;
  node.advance(3s, [&](const Membership::Send& send) {
    const auto* probe = std::get_if<wire::Probe>(&send.message.body);
    if (probe == nullptr || send.to != manager(9).address || node.state(manager(9)) == MemberState::kAlive) return;
    node.now = node.now + 7ms;
    answer.sender = manager(9);
    answer.incarnation = wire::Incarnation(1);
    answer.body = wire::Ack{.sequence = probe->sequence, .rtt_us = 0};
    answer.coordinate = wire::Coordinate{
        .position = {5, 0, 0, 0}, .height_ms = 1, .relative_error = 0.5F, .error_ms = 80, .sample_count = 12};
    node.feed(Membership::Received{.message = answer, .from = manager(9).address});
  });
  ASSERT_EQ(lines(node, "PeerConfirmed").size(), 1);
  EXPECT_NE(lines(node, "PeerConfirmed").front().find("rtt_ms=7.000 error_ms=80.000 samples=1"), std::string::npos)
      << lines(node, "PeerConfirmed").front();
}

// proves: AD35-ROLE-5, AD35-SC-3
// proves part: AD35-ROLE-6 (the cap in the table; a node's own multiplier ends at 3, so nobody is waited for that long)
TEST(Unconfirmed, ABusyNodeWaitsLonger) {
  OneNode node = that_heard_of(worker(9));
  const MonoTime learned = node.now;
  for (int i = 0; i < 8; ++i) node.feed(Membership::LoopLag{.late = 5s, .period = 1s});
  const double multiplier = node.core.health_multiplier();
  ASSERT_EQ(multiplier, 3.0);
  node.advance(539s);  // nobody answers, so it stays degraded
  EXPECT_TRUE(node.knows(worker(9)));
  node.advance(2s);
  EXPECT_FALSE(node.knows(worker(9)));
  EXPECT_EQ(node.core.counters().confirmation_attempts.total(), 0) << "however long it is awaited";
  for (const auto& logged : node.log) {
    const auto* send = std::get_if<Membership::Send>(&logged.action);
    if (send == nullptr || send->to != worker(9).address) continue;
    EXPECT_NE(logged.time, learned + Duration(180s)) << "when its time would have been over it is not asked";
  }
}

// proves: AD35-ROLE-8
// proves part: AD35-OBS-1 (names, kinds, log lines, most counts; not: success counted only where it was asked)
// proves part: AD35-LIFE-1 (any message makes a peer ALIVE, not only an ack both ways)
TEST(Unconfirmed, AConfirmationCancelsTimersAndAttempts) {
  for (const std::uint64_t attempts : {1, 3}) {  // the first and the last
    OneNode node = that_heard_of(manager(9));
    node.advance(attempts == 1 ? 91s : 104s, node.answering({manager(2)}));
    ASSERT_EQ(node.core.counters().confirmation_attempts[NodeRole::kManager], attempts);
    node.receive(manager(9), wire::Ack{});
    EXPECT_EQ(node.core.counters().confirmation_successes, 1);
    node.advance(200s, node.answering({manager(2), manager(9)}));
    EXPECT_EQ(node.state(manager(9)), MemberState::kAlive);
    EXPECT_EQ(node.core.counters().confirmation_attempts[NodeRole::kManager], attempts);
    EXPECT_EQ(node.core.counters().unconfirmed_removed.total(), 0);
  }
}

// proves: AD35-ROLE-8
TEST(Unconfirmed, ConfirmationInPassivePhaseCancelsTheWait) {
  OneNode node = that_heard_of(manager(9));
  node.advance(89s, node.answering({manager(2)}));
  node.receive(manager(9), wire::Ack{});
  node.advance(200s, node.answering({manager(2), manager(9)}));
  EXPECT_EQ(node.core.counters().confirmation_attempts.total(), 0);
  EXPECT_EQ(node.core.counters().unconfirmed_removed.total(), 0);
  EXPECT_EQ(node.state(manager(9)), MemberState::kAlive);
}

// The answer still belongs to the attempt: its round trip is known.
// proves: AD35-ROLE-4
TEST(Unconfirmed, AnAttemptWaitsFiveSecondsForItsAnswer) {
  for (const Duration late : {Duration(4900ms), Duration(5100ms)}) {
    OneNode node = that_heard_of(manager(9));
    node.advance(89999ms, node.answering({manager(2)}));
    node.log.clear();
    node.advance(1ms);
    const auto asked = node.sent<wire::Probe>(manager(9));
    ASSERT_EQ(asked.size(), 1);
    node.advance(late, node.answering({manager(2)}));
    node.receive(manager(9), wire::Ack{.sequence = asked.front().sequence, .rtt_us = 0});
    const auto measured = node.core.member(manager(9).address, node.now)->measured_rtt_ms;
    EXPECT_EQ(measured, late < 5s ? std::optional<double>(4900) : std::nullopt);
    EXPECT_EQ(node.state(manager(9)), MemberState::kAlive) << "a message confirms whenever it comes";
  }
}

// proves: AD29-4
// proves part: AD35-LIFE-2 (probes, refusals and gossip; not: a suspicion of the job layer)
TEST(Unconfirmed, AnotherNodeAtItsAddressIsNoDeath) {
  OneNode node = that_heard_of(manager(9));
  auto other = manager(9);
  other.name = "somebody-else";
  node.hear(manager(2), update(UpdateKind::kJoin, other, 2, other));
  EXPECT_FALSE(was_suspected_or_died(node, manager(9)));
  EXPECT_TRUE(node.all<Membership::MemberDown>().empty());
}

// C26, U18: recorded, but no callback.
// proves: AD29-4, AD31-3
TEST(Unconfirmed, GossipedDeathRemovesUnconfirmedSilently) {
  OneNode node = that_heard_of(worker(9));
  node.hear(manager(2), update(UpdateKind::kDead, worker(9), 1, manager(2)));
  EXPECT_FALSE(node.knows(worker(9)));
  EXPECT_TRUE(node.all<Membership::MemberDown>().empty());
  EXPECT_EQ(node.core.counters().deaths_gossiped, 0);
  node.hear(manager(2), update(UpdateKind::kAlive, worker(9), 1, worker(9)));
  EXPECT_FALSE(node.knows(worker(9)));
  node.hear(manager(2), update(UpdateKind::kAlive, worker(9), 2, worker(9)));
  EXPECT_EQ(node.state(worker(9)), MemberState::kUnconfirmed);
}

// proves: AD35-LIFE-3, AD35-SC-5
// proves part: AD35-OBS-1 (names, kinds, log lines, most counts; not: success counted only where it was asked)
TEST(Unconfirmed, TheirNumberIsBounded) {
  Config config = Config::scaled_to(1s, NodeRole::kManager);
  EXPECT_EQ(config.unconfirmed_max, 2048) << "where nobody says otherwise";
  config.unconfirmed_max = 10;
  OneNode node(manager(1), config);
  node.meet(manager(2));
  for (std::uint16_t i = 1; i <= 50; ++i) node.hear(manager(2), update(UpdateKind::kJoin, worker(i), 1, worker(i)));
  EXPECT_EQ(node.core.counters().peers_unconfirmed, 10);
  EXPECT_EQ(node.core.counters().members_refused, 40);
  node.meet(worker(50));  // who speaks for itself is still welcome
  EXPECT_EQ(node.state(worker(50)), MemberState::kAlive);
  node.advance(181s, node.answering({manager(2), worker(50)}));
  EXPECT_EQ(node.core.counters().peers_unconfirmed, 0) << "nor do they stay";
}

// proves: MSG-UDP-4
// proves part: AD35-ROLE-2 (a manager that is configured as a worker, once it speaks)
// proves part: AD35-ROLE-1 (gossip before configuration; port ranges and names only in a function that no node calls)
TEST(Unconfirmed, PeersOwnRoleReplacesConfiguredRole) {
  Config config = Config::scaled_to(1s, NodeRole::kManager);
  config.seeds = {{manager(9).address, NodeRole::kWorker}};
  OneNode node(manager(1), config);
  EXPECT_EQ(node.core.member(manager(9).address, node.now)->identity.role, NodeRole::kWorker);
  EXPECT_FALSE(node.sent<wire::Join>(manager(9)).empty());
  node.receive(manager(9), wire::Ack{});
  EXPECT_EQ(node.core.member(manager(9).address, node.now)->identity, manager(9));
  EXPECT_EQ(node.state(manager(9)), MemberState::kAlive);
}

TEST(Unconfirmed, ASeedWithoutARelationIsNamedInAWarning) {
  Config config = Config::scaled_to(1s, NodeRole::kWorker);
  config.seeds = {{gate(9).address, NodeRole::kManager}};
  OneNode node(worker(1), config);
  node.receive(gate(9), wire::Ack{});
  EXPECT_FALSE(node.knows(gate(9)));
  ASSERT_FALSE(node.all<Membership::Note>().empty());
  EXPECT_TRUE(node.all<Membership::Note>().front().warning);
  EXPECT_NE(node.all<Membership::Note>().front().text.find("no relation"), std::string::npos);
}

}  // namespace
}  // namespace hyperscale::membership::test
