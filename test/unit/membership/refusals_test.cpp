#include "one_node.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::membership::test {
namespace {

using Send = Membership::Send;

const std::vector<wire::NodeIdentity> kLiving{worker(3), worker(4), worker(5), worker(6)};

OneNode among_workers() {
  OneNode node(worker(1), Config::scaled_to(1s, wire::NodeRole::kWorker));
  for (std::uint16_t i = 2; i <= 6; ++i) node.meet(worker(i));
  node.log.clear();
  return node;
}

// Everybody but the second worker answers; its host refuses every packet. `proxies` answer for it or not.
struct World {
  std::function<void(const Send&)> others;
  bool proxies_reach_it = false;

  void operator()(OneNode& node, const Send& send) const {
    others(send);
    if (send.to == worker(2).address) node.feed(Membership::Refused{.peer = send.to});
    if (const auto* request = std::get_if<wire::PingReq>(&send.message.body)) {
      const wire::NodeIdentity proxy = worker(send.to.port);
      if (proxies_reach_it) {
        node.receive(proxy, wire::IndirectAck{.sequence = request->sequence, .target = request->target});
      } else {
        node.receive(proxy, wire::Nack{.sequence = request->sequence, .target = request->target});
      }
    }
  }
};

void live(OneNode& node, Duration time, bool proxies_reach_it) {
  const World world{.others = node.answering(kLiving), .proxies_reach_it = proxies_reach_it};
  node.advance(time, [&](const Send& send) { world(node, send); });
}

std::optional<AuditEntry> entry(const OneNode& node, AuditEvent event) {
  for (const AuditEntry& each : node.core.audit().entries()) {
    if (each.event == event && each.subject == worker(2).address) return each;
  }
  return std::nullopt;
}

// proves: AD29-4, SWIM-PROBE-1, SWIM-5
TEST(Refusals, OfProbesAreASuspicionAtOnceAndADeathSoon) {
  OneNode node = among_workers();
  live(node, 20s, false);
  const auto suspected = entry(node, AuditEvent::kSuspected);
  const auto died = entry(node, AuditEvent::kDied);
  ASSERT_TRUE(suspected && died);
  const auto probed = std::ranges::find_if(node.log, [](const OneNode::Logged& logged) {
    const auto* send = std::get_if<Send>(&logged.action);
    return send != nullptr && send->to == worker(2).address;
  });
  EXPECT_EQ(suspected->time, probed->time) << "nobody waits for an answer that cannot come";
  EXPECT_GE(died->time - suspected->time, 1s) << "a process that starts again has two direct timeouts";
  EXPECT_LE(died->time - suspected->time, 2s);
  EXPECT_GT(node.core.counters().probes_refused, 0);
  EXPECT_EQ(node.core.counters().suspicions_of_refused, 1);
  EXPECT_EQ(node.core.counters().suspicions_started, 0);
  EXPECT_EQ(node.core.counters().deaths_detected, 1);
  EXPECT_EQ(node.core.health_score(), 0) << "an answer that came in time says nothing bad about this node";
}

// The order of SWIM holds for the refused too: proxies are asked before anybody is suspected.
// proves: SWIM-PROBE-1, SWIM-PROBE-2
TEST(Refusals, KillNobodyWhomAProxyReaches) {
  OneNode node = among_workers();
  live(node, 60s, true);
  EXPECT_EQ(node.state(worker(2)), MemberState::kAlive);
  EXPECT_FALSE(entry(node, AuditEvent::kSuspected));
  EXPECT_GT(node.core.counters().indirect_acks, 5);
}

TEST(Refusals, DoNotDropAnAnswerThatComesAllTheSame) {
  OneNode node = among_workers();
  const auto others = node.answering(kLiving);
  node.advance(30s, [&](const Send& send) {
    others(send);
    if (send.to != worker(2).address) return;
    node.feed(Membership::Refused{.peer = send.to});
    node.answering({worker(2)})(send);
  });
  EXPECT_EQ(node.state(worker(2)), MemberState::kAlive);
  EXPECT_FALSE(entry(node, AuditEvent::kSuspected));
  EXPECT_GT(node.core.counters().probes_acked, 25);
}

TEST(Refusals, OfOtherPacketsTriggerOneProbePerInterval) {
  OneNode node = among_workers();
  for (int i = 0; i < 1'000; ++i) {
    node.feed(Membership::Refused{.peer = worker(2).address});
    for (const wire::Probe& probe : node.sent<wire::Probe>(worker(2))) {
      node.receive(worker(2), wire::Ack{.sequence = probe.sequence, .rtt_us = 0});
    }
  }
  EXPECT_EQ(node.sent<wire::Probe>(worker(2)).size(), 1);
  EXPECT_LE(node.sends<wire::PingReq>().size(), 3);
}

// proves: AD29-4
// proves part: AD35-LIFE-2 (probes, refusals and gossip; not: a suspicion of the job layer)
TEST(Refusals, OfUnknownOrUnconfirmedPeersAreIgnored) {
  OneNode node = among_workers();
  node.hear(worker(3), {wire::UpdateKind::kJoin, worker(9), wire::Incarnation(1), worker(3).address});
  node.log.clear();
  node.feed(Membership::Refused{.peer = worker(77).address});
  node.feed(Membership::Refused{.peer = worker(9).address});
  EXPECT_TRUE(node.log.empty());
  EXPECT_EQ(node.core.counters().refusals, 0);
}

// proves part: AD29-5 (one that asked in vain or was refused; not one that has too much to do)
TEST(Refusals, MakeAProxyGiveUpAtOnce) {
  OneNode node = among_workers();
  node.receive(worker(3), wire::PingReq{.sequence = 77, .target = worker(2).address});
  node.feed(Membership::Refused{.peer = worker(2).address});
  ASSERT_EQ(node.sent<wire::Nack>(worker(3)).size(), 1);
  node.advance(1s, node.answering({worker(2), worker(3), worker(4), worker(5), worker(6)}));
  EXPECT_EQ(node.sent<wire::Nack>(worker(3)).size(), 1) << "once is enough";
}

// Who hears of the death before it heard of any doubt looks for itself, and then believes it.
TEST(Refusals, EndTheDoubtAboutADeathThatWasHeard) {
  OneNode node = among_workers();
  node.hear(worker(3), {wire::UpdateKind::kDead, worker(2), wire::Incarnation(1), worker(3).address});
  ASSERT_EQ(node.state(worker(2)), MemberState::kSuspect);
  ASSERT_EQ(node.sent<wire::Probe>(worker(2)).size(), 1);
  node.feed(Membership::Refused{.peer = worker(2).address});
  const World world{.others = node.answering(kLiving)};
  for (const Send& request : node.sends<wire::PingReq>()) world(node, request);
  node.advance(300ms);
  EXPECT_EQ(node.state(worker(2)), MemberState::kDead);
}

TEST(Refusals, ShortenASuspicionThatOthersBegan) {
  OneNode node = among_workers();
  node.hear(worker(3), {wire::UpdateKind::kSuspect, worker(2), wire::Incarnation(1), worker(3).address});
  ASSERT_EQ(node.state(worker(2)), MemberState::kSuspect);
  live(node, 5s, false);  // by itself it would take longer than that
  EXPECT_EQ(node.state(worker(2)), MemberState::kDead);
}

TEST(Refusals, OfARestartingProcessAreNoDeath) {
  OneNode node = among_workers();
  const World world{.others = node.answering(kLiving)};
  while (node.state(worker(2)) != MemberState::kSuspect)
    node.advance(10ms, [&](const Send& send) { world(node, send); });
  node.advance(500ms, node.answering(kLiving));
  node.receive(worker(2), wire::Join{}, 2);
  node.advance(20s, node.answering({worker(2), worker(3), worker(4), worker(5), worker(6)}));
  EXPECT_EQ(node.state(worker(2)), MemberState::kAlive);
  EXPECT_TRUE(node.all<Membership::MemberDown>().empty());
}

}  // namespace
}  // namespace hyperscale::membership::test
