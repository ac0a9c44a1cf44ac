// What messages carry: embedded state, coordinates, gossip within the datagram; sync, joins, goodbyes.

#include "membership/scope_digests.h"
#include "one_node.h"
#include "wire/cluster_codec.h"

#include <set>

#include <gtest/gtest.h>

namespace hyperscale::membership::test {
namespace {

using wire::NodeRole;
using wire::UpdateKind;

// proves: MSG-HB-3, MSG-UDP-1, MSG-UDP-2
// proves part: AD1-2 (the core accepts and sends it; not ClusterService::embed, which nothing calls)
// proves part: SWIM-EMBED-2 (not a worker's health, not the health of a datacenter)
// proves part: SWIM-EMBED-1 (the two sides of it; not that a gate plugs one in)
TEST(Messages, ProbesAndAcksCarryTheStateThatTheOwnerGives) {
  OneNode node(worker(1));
  node.meet(worker(2));
  node.advance(3s);
  for (const auto& send : node.sends<wire::Probe>()) EXPECT_TRUE(send.message.embedded_state.empty());
  node.log.clear();
  node.core.embed_state(SharedBytes::copy_of("heartbeat of w1"));
  node.receive(worker(2), wire::Probe{.sequence = 1, .target = worker(1).address});
  node.advance(3s);
  ASSERT_EQ(node.sends<wire::Ack>().size(), 1);
  EXPECT_EQ(node.sends<wire::Ack>().front().message.embedded_state.text(), "heartbeat of w1");
  EXPECT_EQ(node.sends<wire::Ack>().front().message.sender, worker(1));
  ASSERT_FALSE(node.sends<wire::Probe>().empty());
  EXPECT_EQ(node.sends<wire::Probe>().front().message.embedded_state.text(), "heartbeat of w1");
}

// proves part: SWIM-EMBED-1 (the two sides of it; not that a gate plugs one in)
TEST(Messages, ThePeersStateIsHandedToTheOwner) {
  OneNode node(manager(1));
  wire::ClusterMessage message;
  message.sender = worker(2);
  message.incarnation = wire::Incarnation(1);
  message.body = wire::Ack{};
  message.embedded_state = SharedBytes::copy_of("cores=8");
  node.feed(Membership::Received{.message = message, .from = worker(2).address});
  const auto states = node.all<Membership::StateReceived>();
  ASSERT_EQ(states.size(), 1);
  EXPECT_EQ(states.front().from, worker(2));
  EXPECT_EQ(states.front().state.text(), "cores=8");
}

// proves: AD35-VIV-1, AD35-VIV-2, AD35-VIV-3
// proves part: AD35-OBS-1 (names, kinds, log lines, most counts; not: success counted only where it was asked)
// proves part: AD35-VIV-4 (measuring, moving, storing; an unsure node also fits again what it measured before)
// proves part: AD35-OBS-3 (every field; measured_rtt_samples has the last one only)
TEST(Messages, ProbesAndAcksCarryCoordinates) {
  OneNode node(worker(1));
  node.meet(worker(2));
  EXPECT_EQ(node.core.coordinate(), std::nullopt);
  node.advance(30s, [&](const Membership::Send& send) {
    const auto* probe = std::get_if<wire::Probe>(&send.message.body);
    if (probe == nullptr) return;
    EXPECT_TRUE(send.message.coordinate.has_value());
    node.now += 40ms;
    wire::ClusterMessage ack;
    ack.sender = worker(2);
    ack.incarnation = wire::Incarnation(1);
    ack.body = wire::Ack{.sequence = probe->sequence, .rtt_us = 0};
    ack.coordinate =
        wire::Coordinate{.position = {}, .height_ms = 1, .relative_error = 0.1F, .error_ms = 1, .sample_count = 50};
    node.feed(Membership::Received{.message = ack, .from = worker(2).address});
  });
  ASSERT_TRUE(node.core.coordinate().has_value());
  EXPECT_GE(node.core.counters().coordinate_updates, 20);
  const auto view = node.core.member(worker(2).address, node.now).value();
  EXPECT_NEAR(view.rtt_ms.value(), 40, 12);
  EXPECT_NEAR(view.measured_rtt_ms.value(), 40, 1);
  EXPECT_FALSE(view.rtt.staleness > 2s) << "the peer's place is kept, with its time";
  node.log.clear();
  node.receive(worker(2), wire::Probe{.sequence = 4711, .target = worker(1).address});
  const auto acks = node.sends<wire::Ack>();
  ASSERT_EQ(acks.size(), 1);
  EXPECT_EQ(acks.front().message.sender, worker(1));
  EXPECT_EQ(acks.front().message.coordinate, node.core.coordinate());
  const auto& ack = std::get<wire::Ack>(acks.front().message.body);
  EXPECT_EQ(ack.sequence, 4711);
  EXPECT_NEAR(ack.rtt_us, 40'000, 1'000) << "what this node measured";
  node.log.clear();
  node.advance(2s);
  const auto probes = node.sends<wire::Probe>();
  ASSERT_FALSE(probes.empty());
  EXPECT_EQ(probes.front().message.sender, worker(1));
  EXPECT_EQ(probes.front().message.coordinate, node.core.coordinate());
}

// A node probes once an interval, whatever it knows of its own place and whatever places it hears of.
// proves: AD35-VIV-2
TEST(Messages, NothingIsSentToLearnACoordinate) {
  OneNode node(worker(1));
  const auto tell = [&](const wire::NodeIdentity& from, wire::ClusterBody body) {
    wire::ClusterMessage message;
    message.sender = from;
    message.incarnation = wire::Incarnation(1);
    message.body = std::move(body);
    message.coordinate = wire::Coordinate{
        .position = {30, 0, 0, 0}, .height_ms = 1, .relative_error = 0.1F, .error_ms = 1, .sample_count = 50};
    node.feed(Membership::Received{.message = std::move(message), .from = from.address});
  };
  const auto world = [&](const Membership::Send& send) {
    const auto* probe = std::get_if<wire::Probe>(&send.message.body);
    if (probe != nullptr) tell(worker(send.to.port), wire::Ack{.sequence = probe->sequence, .rtt_us = 0});
  };
  for (std::uint16_t i = 2; i <= 6; ++i) node.meet(worker(i));
  node.advance(60s, world);
  const auto before = node.core.counters().probes_sent;
  EXPECT_NEAR(static_cast<double>(before), 60, 1) << "while it finds its place";
  node.advance(60s, world);
  EXPECT_NEAR(static_cast<double>(node.core.counters().probes_sent - before), 60, 1);
  node.log.clear();
  tell(worker(2), wire::SyncPage{});
  tell(worker(3), wire::Ack{});
  EXPECT_TRUE(node.all<Membership::Send>().empty()) << "a place that is heard of is no reason to ask";
}

// proves part: SWIM-GOSSIP-2 (the buffer and every message; not the bound that a node gives its buffer)
// proves part: SWIM-GOSSIP-1 (not in a message to a suspect, which hears of itself first)
TEST(Messages, GossipYieldsItsSpaceToEmbeddedState) {
  Config config = Config::scaled_to(1s, NodeRole::kManager);
  OneNode node(manager(1), config);
  node.meet(manager(2));
  for (std::uint16_t i = 1; i <= 100; ++i) node.meet(worker(i));
  const auto ack_of = [&] {
    node.log.clear();
    node.receive(manager(2), wire::Probe{.sequence = 1, .target = manager(1).address});
    return node.sends<wire::Ack>().at(0).message;
  };
  const auto without_state = ack_of();
  EXPECT_GE(without_state.gossip.size(), 5);
  node.core.embed_state(SharedBytes::copy_of(std::string(500, 'x')));
  const auto with_state = ack_of();
  EXPECT_EQ(with_state.embedded_state.size(), 500);
  EXPECT_GE(with_state.gossip.size(), 5);
  EXPECT_LE(wire::encoded_size_bound(with_state), wire::kClusterMessageBytesMax);
  node.log.clear();
  node.advance(2s);
  ASSERT_FALSE(node.sends<wire::Probe>().empty());
  EXPECT_FALSE(node.sends<wire::Probe>().front().message.gossip.empty());
}

// proves part: SWIM-GOSSIP-2 (the buffer and every message; not the bound that a node gives its buffer)
TEST(Messages, LeavesOutGossipFirstAndThenState) {
  Config config = Config::scaled_to(1s, NodeRole::kManager);
  config.message_bytes_max = 620;
  OneNode node(manager(1), config);
  node.meet(manager(2));
  for (std::uint16_t i = 1; i <= 30; ++i) node.meet(worker(i));
  const auto ack_of = [&](std::size_t state_bytes) {
    node.core.embed_state(SharedBytes::copy_of(std::string(state_bytes, 'x')));
    node.log.clear();
    node.receive(manager(2), wire::Probe{.sequence = 1, .target = manager(1).address});
    return node.sends<wire::Ack>().at(0).message;
  };
  EXPECT_GT(ack_of(100).gossip.size(), 0);
  const auto full = ack_of(500);
  EXPECT_EQ(full.embedded_state.size(), 500);
  EXPECT_EQ(full.gossip.size(), 0);
  EXPECT_EQ(ack_of(800).embedded_state.size(), 0);
  EXPECT_EQ(node.core.counters().states_left_out, 1);
}

// proves part: SWIM-GOSSIP-1 (not in a message to a suspect, which hears of itself first)
TEST(Messages, AnEnvelopeForOthersCarriesTheSame) {
  OneNode node(manager(1), Config::scaled_to(1s, NodeRole::kManager), 6);
  node.meet(manager(2));
  node.meet(manager(3));
  const auto message = node.core.envelope(wire::LeaderHeartbeat{}, manager(2).address, node.now);
  EXPECT_EQ(message.sender, manager(1));
  EXPECT_EQ(message.incarnation, wire::Incarnation(7));
  EXPECT_FALSE(message.gossip.empty());
}

// proves: MSG-UDP-4
// proves part: SWIM-1 (states, timers, gossip and callbacks; no manager gives out work by them yet)
TEST(Messages, AJoinIsAnsweredAndPassedOn) {
  OneNode node(manager(1));
  node.meet(manager(2));
  node.advance(10s, node.answering({manager(2)}));
  node.log.clear();
  node.receive(worker(5), wire::Join{});
  EXPECT_EQ(node.sent<wire::Ack>(worker(5)).size(), 1);
  node.advance(1s, node.answering({manager(2), worker(5)}));
  const auto told = node.sent<wire::Announce>(manager(2));
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.front().update, update(UpdateKind::kJoin, worker(5), 1, manager(1)));
}

// proves: MSG-UDP-4
TEST(Messages, ANewcomerIntroducesItselfToThoseItHearsOf) {
  OneNode node(worker(1));
  node.meet(manager(1));
  std::vector<wire::MemberUpdate> page;
  for (std::uint16_t i = 2; i <= 30; ++i) page.push_back(update(UpdateKind::kAlive, worker(i), 1, manager(1)));
  node.receive(manager(1), wire::SyncPage{.members = page});
  node.advance(4s, node.answering({manager(1)}));
  for (std::uint16_t i = 2; i <= 30; ++i) EXPECT_EQ(node.sent<wire::Join>(worker(i)).size(), 1) << i;
}

TEST(Messages, ASyncRequestIsAnsweredOnlyWhereTablesDiffer) {
  OneNode node(manager(1));
  node.meet(manager(2));
  for (std::uint16_t i = 1; i <= 40; ++i) node.meet(worker(i));
  node.meet(gate(1));
  // What manager 2 would hold if it knew the same.
  std::uint64_t same = 0;
  for (const auto& view : node.core.members(node.now)) same ^= digest_of(view.identity.address, view.incarnation);
  same ^= digest_of(manager(1).address, wire::Incarnation(1));
  node.log.clear();
  node.receive(manager(2), wire::SyncRequest{.digest = same});
  node.advance(2s);
  EXPECT_TRUE(node.sends<wire::SyncPage>().empty());
  node.receive(manager(2), wire::SyncRequest{.digest = same + 1});
  node.advance(3s);
  std::set<std::string> told;
  for (const auto& page : node.sent<wire::SyncPage>(manager(2))) {
    for (const auto& each : page.members) EXPECT_TRUE(told.insert(each.subject.name).second);
  }
  EXPECT_EQ(told.size(), 41);
  EXPECT_FALSE(told.contains(manager(2).name));
  EXPECT_EQ(node.core.counters().sync_requests_equal, 1);
}

// proves part: SWIM-GOSSIP-2 (the buffer and every message; not the bound that a node gives its buffer)
TEST(Messages, PagesHoldOnlyWhatTheAskerMayKnowAndFit) {
  OneNode node(manager(1));
  node.meet(worker(1));
  node.meet(gate(1));
  for (std::uint16_t i = 2; i <= 40; ++i) node.meet(worker(i));
  node.hear(gate(1), update(UpdateKind::kJoin, gate(2), 1, gate(2)));  // heard of only: not vouched for
  node.log.clear();
  node.receive(worker(1), wire::SyncRequest{.digest = 1});
  node.receive(gate(1), wire::SyncRequest{.digest = 1});
  node.advance(3s);
  for (const auto& page : node.sent<wire::SyncPage>(worker(1))) {
    for (const auto& each : page.members) EXPECT_EQ(each.subject.role, NodeRole::kWorker);
  }
  for (const auto& send : node.sends<wire::SyncPage>()) {
    EXPECT_LE(wire::encoded_size_bound(send.message), wire::kClusterMessageBytesMax);
  }
  EXPECT_GE(node.sent<wire::SyncPage>(worker(1)).size(), 2);
  EXPECT_TRUE(node.sent<wire::SyncPage>(gate(1)).empty());
}

// proves: MSG-UDP-4
TEST(Messages, ANodeSaysGoodbyeAndGoes) {
  OneNode node(manager(1));
  for (std::uint16_t i = 2; i <= 4; ++i) node.meet(manager(i));
  node.log.clear();
  node.feed(Membership::Leave{});
  EXPECT_GE(node.sends<wire::Leave>().size(), 2);
  node.hear(manager(2), update(UpdateKind::kSuspect, manager(1), 1, manager(2)));
  EXPECT_TRUE(node.all<Membership::IncarnationChanged>().empty());  // who goes does not argue
  node.advance(4s);
  EXPECT_EQ(node.all<Membership::Left>().size(), 1);
  EXPECT_TRUE(node.core.left());
  EXPECT_EQ(node.core.next_wake(), MonoTime::max());
  node.log.clear();
  node.receive(manager(2), wire::Probe{.sequence = 1, .target = manager(1).address});
  EXPECT_TRUE(node.log.empty());
}

TEST(Messages, ALonelyNodeLeavesAtOnce) {
  OneNode node(manager(1));
  node.feed(Membership::Leave{});
  EXPECT_EQ(node.all<Membership::Left>().size(), 1);
}

TEST(Messages, WhoHasNoRelationIsAnsweredButNotTaken) {
  OneNode node(worker(1));
  node.receive(worker(1, "west"), wire::Probe{.sequence = 4, .target = worker(1).address}, 1,
               {update(UpdateKind::kJoin, worker(2), 1, worker(2))});
  EXPECT_FALSE(node.knows(worker(1, "west")));
  EXPECT_FALSE(node.knows(worker(2)));
  EXPECT_EQ(node.sent<wire::Ack>(worker(1, "west")).size(), 1);
  EXPECT_EQ(node.core.counters().unrelated_senders, 1);
}

// Dead for one job, alive for the rest (AD30-INT-4).
// proves: AD30-JOB-1
TEST(Messages, AJobSuspicionEndsInAJobDeathOnly) {
  OneNode node(manager(1));
  node.meet(worker(2));
  node.meet(worker(3));
  EXPECT_TRUE(node.core.suspect_job("job-1", worker(2).address, manager(1).address, node.now));
  EXPECT_FALSE(node.core.suspect_job("job-1", worker(9).address, manager(1).address, node.now));
  node.advance(20s, node.answering({worker(2), worker(3)}));
  const auto downs = node.all<Membership::JobNodeDown>();
  ASSERT_EQ(downs.size(), 1);
  EXPECT_EQ(downs.front().job, "job-1");
  EXPECT_EQ(downs.front().member, worker(2));
  EXPECT_FALSE(node.core.is_alive_for_job("job-1", worker(2).address));
  EXPECT_TRUE(node.core.is_alive_for_job("job-2", worker(2).address));
  EXPECT_EQ(node.state(worker(2)), MemberState::kAlive);
  EXPECT_EQ(node.core.clear_job("job-1"), 1);
}

// It runs exactly while probes do: not before the start, and no longer once this node says goodbye, although it still
// answers others then.
// proves: AD30-INT-1
TEST(Messages, DetectorRunsOnlyWhileProbesDo) {
  Membership core(Config::scaled_to(1s, NodeRole::kManager), manager(1), wire::Incarnation(), 1);
  EXPECT_FALSE(core.suspect_job("job-1", worker(2).address, manager(1).address, MonoTime() + 1h));
  OneNode node(manager(1));
  node.meet(worker(2));
  EXPECT_TRUE(node.core.suspect_job("job-1", worker(2).address, manager(1).address, node.now));
  node.feed(Membership::Leave{});
  ASSERT_FALSE(node.core.left());
  EXPECT_FALSE(node.core.suspect_job("job-2", worker(2).address, manager(1).address, node.now));
  EXPECT_EQ(node.core.clear_job("job-1"), 0) << "what was suspected went with it";
  node.log.clear();
  node.receive(worker(2), wire::Probe{.sequence = 7, .target = manager(1).address});
  EXPECT_EQ(node.sent<wire::Ack>(worker(2)).size(), 1) << "membership still runs";
}

// proves: AD30-JOB-1
TEST(Messages, AnswerEndsSuspicionAndDeathForItsJob) {
  OneNode node(manager(1));
  node.meet(worker(2));
  node.core.suspect_job("job-1", worker(2).address, manager(1).address, node.now);
  node.core.suspect_job("job-2", worker(2).address, manager(1).address, node.now);
  EXPECT_TRUE(node.core.answered_job("job-1", worker(2).address));
  EXPECT_FALSE(node.core.answered_job("job-1", worker(2).address));
  node.advance(20s, node.answering({worker(2)}));
  ASSERT_EQ(node.all<Membership::JobNodeDown>().size(), 1);
  EXPECT_FALSE(node.core.is_alive_for_job("job-2", worker(2).address));
  EXPECT_TRUE(node.core.answered_job("job-2", worker(2).address));
  EXPECT_TRUE(node.core.is_alive_for_job("job-2", worker(2).address));
}

// proves: AD35-ROLE-3, AD35-TMO-3
// proves part: AD35-OBS-1 (names, kinds, log lines, most counts; not: success counted only where it was asked)
// proves part: AD35-TMO-1 (not where a host refuses packets, nor for a death that nobody suspected)
TEST(Messages, AppliedTimeoutsAreCountedWithTheirFactors) {
  OneNode node(manager(1));
  node.meet(manager(2));
  node.meet(worker(3));
  node.advance(60s);  // nobody answers
  const Counters counters = node.core.counters();
  EXPECT_EQ(counters.suspicions_started, 2);
  EXPECT_EQ(counters.timeouts.applied_s[NodeRole::kManager].total(), 1);
  EXPECT_EQ(counters.timeouts.applied_s[NodeRole::kWorker].total(), 0) << "workers have no such timeout";
  EXPECT_EQ(counters.timeouts.latency_multiplier.total(), 1);
  EXPECT_EQ(counters.timeouts.latency_multiplier.sum, 10) << "nothing is known: the bound of the default";
  EXPECT_EQ(counters.timeouts.load_multiplier.total(), 1);
  EXPECT_DOUBLE_EQ(counters.timeouts.confidence_adjustment.sum, 1.15) << "nothing was measured: an error of 1.5";
  const double load = counters.timeouts.load_multiplier.sum;
  EXPECT_NEAR(counters.timeouts.applied_s[NodeRole::kManager].sum, 5 * 10 * load * 1.15, 0.01);
}

TEST(Messages, ConfigurationsScaleTogether) {
  const Config wide = Config::scaled_to(1s, NodeRole::kGate);
  const Config lan = Config::scaled_to(200ms, NodeRole::kGate);
  EXPECT_EQ(wide.direct_timeout, 500ms);
  EXPECT_EQ(lan.direct_timeout, 100ms);
  EXPECT_EQ(lan.sync_interval, 2s);
  EXPECT_EQ(lan.dead_kept, 900s);
  EXPECT_EQ(lan.coordinates.strategies.of(NodeRole::kWorker).passive_timeout, 36s);
  EXPECT_EQ(lan.detection.gates.global.min, wide.detection.gates.global.min / 5);
}

// proves: SWIM-5
// proves part: SWIM-GOSSIP-2 (the buffer and every message; not the bound that a node gives its buffer)
TEST(Messages, AFullGossipBufferDropsCountsAndSaysSo) {
  Config config = Config::scaled_to(1s, NodeRole::kManager);
  config.gossip_updates_max = 8;
  OneNode node(manager(1), config);
  for (std::uint16_t i = 1; i <= 12; ++i) node.meet(worker(i));
  EXPECT_EQ(node.core.counters().gossip_queued, 8);
  EXPECT_EQ(node.core.counters().gossip_dropped, 4);
  EXPECT_EQ(Config().gossip_updates_max, 1024);
  std::size_t told = 0;
  for (const auto& note : node.all<Membership::Note>())
    told += note.warning && note.text.find("gossip buffer is full") != std::string::npos;
  EXPECT_GT(told, 0);
}

}  // namespace
}  // namespace hyperscale::membership::test
