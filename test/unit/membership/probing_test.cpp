#include "membership/proxied_probes.h"
#include "one_node.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

namespace hyperscale::membership::test {
namespace {

using Send = Membership::Send;

OneNode among_workers(std::uint64_t seed = 1) {
  OneNode node(worker(1), Config::scaled_to(1s, wire::NodeRole::kWorker), 0, seed);
  for (std::uint16_t i = 2; i <= 6; ++i) node.meet(worker(i));
  node.log.clear();
  return node;
}

MonoTime time_of(const OneNode& node, const std::function<bool(const Membership::Action&)>& wanted) {
  for (const auto& logged : node.log) {
    if (wanted(logged.action)) return logged.time;
  }
  return MonoTime::max();
}
template <typename Body>
MonoTime first_sent(const OneNode& node, const wire::NodeIdentity& target) {
  return time_of(node, [&](const Membership::Action& action) {
    const auto* send = std::get_if<Send>(&action);
    const auto* body = send == nullptr ? nullptr : std::get_if<Body>(&send->message.body);
    return body != nullptr && body->target == target.address;
  });
}
MonoTime suspected_at(const OneNode& node, const wire::NodeIdentity& target) {
  for (const AuditEntry& entry : node.core.audit().entries()) {
    if (entry.event == AuditEvent::kSuspected && entry.subject == target.address) return entry.time;
  }
  return MonoTime::max();
}

// proves: SWIM-PROBE-1, AD29-4, MSG-UDP-3, MSG-UDP-1
// proves part: AD35-LIFE-1 (any message makes a peer ALIVE, not only an ack both ways)
TEST(Probing, GoesFromDirectToIndirectToSuspectToDead) {
  OneNode node = among_workers();
  node.advance(120s, node.answering({worker(3), worker(4), worker(5), worker(6)}));
  const MonoTime direct = first_sent<wire::Probe>(node, worker(2));
  const MonoTime indirect = first_sent<wire::PingReq>(node, worker(2));
  const MonoTime suspected = suspected_at(node, worker(2));
  const MonoTime died = time_of(node, [](const auto& a) { return std::holds_alternative<Membership::MemberDown>(a); });
  EXPECT_EQ(indirect - direct, 500ms);
  EXPECT_GE(suspected - indirect, 500ms);
  EXPECT_GE(died - suspected, 5s);
  EXPECT_LT(died, MonoTime::max());
  EXPECT_EQ(node.state(worker(2)), MemberState::kDead);
  EXPECT_EQ(node.core.counters().deaths_detected, 1);
}

// proves: SWIM-PROBE-2, SWIM-5
TEST(Probing, AnIndirectAckPreventsSuspicion) {
  OneNode node = among_workers();
  const auto others = node.answering({worker(3), worker(4), worker(5), worker(6)});
  node.advance(120s, [&](const Send& send) {
    others(send);
    if (const auto* request = std::get_if<wire::PingReq>(&send.message.body)) {
      ASSERT_EQ(request->target, worker(2).address);
      node.receive(worker(send.to.port), wire::IndirectAck{.sequence = request->sequence, .target = request->target});
    }
  });
  EXPECT_EQ(node.state(worker(2)), MemberState::kAlive);
  EXPECT_EQ(suspected_at(node, worker(2)), MonoTime::max());
  EXPECT_GT(node.core.counters().indirect_acks, 10);
}

// proves: SWIM-PROBE-2
TEST(Probing, SoDoesAnIndirectAckAtTheEndOfItsWait) {
  OneNode node = among_workers();
  const auto others = node.answering({worker(3), worker(4), worker(5), worker(6)});
  while (node.sends<wire::PingReq>().empty()) node.advance(50ms, others);
  const Send asked = node.sends<wire::PingReq>().front();
  const MonoTime indirect = first_sent<wire::PingReq>(node, worker(2));
  node.advance(indirect + 490ms - node.now, others);
  ASSERT_EQ(node.state(worker(2)), MemberState::kAlive);
  const auto sequence = std::get<wire::PingReq>(asked.message.body).sequence;
  node.receive(worker(asked.to.port), wire::IndirectAck{.sequence = sequence, .target = worker(2).address});
  node.advance(400ms, others);
  EXPECT_EQ(node.state(worker(2)), MemberState::kAlive);
  EXPECT_EQ(suspected_at(node, worker(2)), MonoTime::max());
}

// proves: SWIM-PROBE-2, SWIM-5
TEST(Probing, OneIndirectAckOutweighsTheNacksOfOthers) {
  OneNode node = among_workers();
  const auto others = node.answering({worker(3), worker(4), worker(5), worker(6)});
  std::map<std::uint64_t, int> asked;
  node.advance(120s, [&](const Send& send) {
    others(send);
    const auto* request = std::get_if<wire::PingReq>(&send.message.body);
    if (request == nullptr) return;
    if (++asked[request->sequence] < 3) {
      node.receive(worker(send.to.port), wire::Nack{.sequence = request->sequence, .target = request->target});
    } else {
      node.receive(worker(send.to.port), wire::IndirectAck{.sequence = request->sequence, .target = request->target});
    }
  });
  EXPECT_EQ(node.state(worker(2)), MemberState::kAlive);
  EXPECT_EQ(suspected_at(node, worker(2)), MonoTime::max());
  EXPECT_GT(node.core.counters().indirect_acks, 10);
  EXPECT_GT(node.core.counters().nacks_received, 20);
}

// proves: MSG-UDP-3
// proves part: SWIM-PROBE-3 (not that a proxy which has too much to do says so)
TEST(Probing, ProxiesAreChosenAtRandom) {
  std::set<std::set<std::uint16_t>> choices;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    OneNode node = among_workers(seed);
    node.advance(15s, node.answering({worker(3), worker(4), worker(5), worker(6)}));
    std::set<std::uint16_t> proxies;
    const MonoTime first = first_sent<wire::PingReq>(node, worker(2));
    for (const auto& logged : node.log) {
      const auto* send = std::get_if<Send>(&logged.action);
      if (send == nullptr || logged.time != first || !std::holds_alternative<wire::PingReq>(send->message.body))
        continue;
      EXPECT_NE(send->to, worker(2).address);
      EXPECT_TRUE(proxies.insert(send->to.port).second);
    }
    EXPECT_EQ(proxies.size(), 3);
    choices.insert(proxies);
  }
  EXPECT_GE(choices.size(), 3);
}

// proves: MSG-UDP-3
// proves part: AD29-5 (one that asked in vain or was refused; not one that has too much to do)
// proves part: SWIM-PROBE-3 (not that a proxy which has too much to do says so)
TEST(Probing, AProxyThatCannotReachTheTargetSendsANack) {
  OneNode node = among_workers();
  node.receive(worker(3), wire::PingReq{.sequence = 77, .target = worker(2).address});
  ASSERT_EQ(node.sent<wire::Probe>(worker(2)).size(), 1);
  EXPECT_TRUE(node.sent<wire::Nack>(worker(3)).empty());
  node.advance(500ms);
  ASSERT_EQ(node.sent<wire::Nack>(worker(3)).size(), 1);
  EXPECT_EQ(node.sent<wire::Nack>(worker(3)).front(), (wire::Nack{.sequence = 77, .target = worker(2).address}));
}

// proves: SWIM-PROBE-2, MSG-UDP-3
TEST(Probing, AProxyPassesTheAnswerOn) {
  OneNode node = among_workers();
  node.receive(worker(3), wire::PingReq{.sequence = 77, .target = worker(2).address});
  const auto probe = node.sent<wire::Probe>(worker(2)).at(0);
  node.receive(worker(2), wire::Ack{.sequence = probe.sequence, .rtt_us = 0});
  ASSERT_EQ(node.sent<wire::IndirectAck>(worker(3)).size(), 1);
  EXPECT_EQ(node.sent<wire::IndirectAck>(worker(3)).front().sequence, 77);
  node.advance(1s);
  EXPECT_TRUE(node.sent<wire::Nack>(worker(3)).empty());
}

TEST(Probing, NacksOfAllProxiesEndTheWaitEarly) {
  OneNode node = among_workers();
  const auto others = node.answering({worker(3), worker(4), worker(5), worker(6)});
  node.advance(15s, [&](const Send& send) {
    others(send);
    if (const auto* request = std::get_if<wire::PingReq>(&send.message.body)) {
      node.receive(worker(send.to.port), wire::Nack{.sequence = request->sequence, .target = request->target});
    }
  });
  EXPECT_EQ(suspected_at(node, worker(2)), first_sent<wire::PingReq>(node, worker(2)));
}

// Who was asked to look, and saw nothing either, is a witness; one that says nothing is none.
// proves: SWIM-3
TEST(Probing, NacksAreConfirmationsOfTheSuspicion) {
  const auto lasts = [](bool proxies_answer) {
    OneNode node = among_workers();
    const auto others = node.answering({worker(3), worker(4), worker(5), worker(6)});
    node.advance(120s, [&](const Send& send) {
      others(send);
      const auto* request = std::get_if<wire::PingReq>(&send.message.body);
      if (request == nullptr || !proxies_answer) return;
      const wire::Nack nack{.sequence = request->sequence, .target = request->target};
      node.receive(worker(send.to.port), nack);
      node.receive(worker(send.to.port), nack);  // a packet that comes twice is one witness
    });
    const MonoTime died =
        time_of(node, [](const auto& a) { return std::holds_alternative<Membership::MemberDown>(a); });
    return died - suspected_at(node, worker(2));
  };
  EXPECT_GE(lasts(true), 5s);
  EXPECT_LT(lasts(true), 8s) << "the minimum, times the health of this node after a failed probe";
  EXPECT_GT(lasts(false), 10s);
}

// A nack would say that the target was asked.
TEST(Probing, AProxyWithTooMuchToDoIsSilent) {
  OneNode node = among_workers();
  for (std::uint64_t i = 0; i <= kProxiedProbesMax; ++i) {
    node.receive(worker(3), wire::PingReq{.sequence = i, .target = worker(2).address});
  }
  EXPECT_EQ(node.core.counters().proxied_refused, 1);
  node.advance(1s);
  EXPECT_EQ(node.sent<wire::Nack>(worker(3)).size(), kProxiedProbesMax);
}

// proves part: SWIM-LHM-2 (not the fixed time for which a death that was heard of is doubted)
TEST(Probing, ASlowObserverWaitsLonger) {
  OneNode node = among_workers();
  for (int i = 0; i < 8; ++i) node.feed(Membership::LoopLag{.late = 5s, .period = 1s});
  ASSERT_EQ(node.core.health_score(), 8);
  node.advance(15s);
  const auto probe = node.sends<wire::Probe>().front();
  const auto target = worker(probe.to.port);
  EXPECT_EQ(first_sent<wire::PingReq>(node, target) - first_sent<wire::Probe>(node, target), 1500ms);
}

// proves: MSG-UDP-1, MSG-UDP-2
TEST(Probing, AnswersOnlyProbesMeantForItself) {
  OneNode node = among_workers();
  node.receive(worker(3), wire::Probe{.sequence = 5, .target = worker(1).address});
  ASSERT_EQ(node.sent<wire::Ack>(worker(3)).size(), 1);
  EXPECT_EQ(node.sent<wire::Ack>(worker(3)).front().sequence, 5);
  node.receive(worker(3), wire::Probe{.sequence = 6, .target = worker(9).address});
  EXPECT_EQ(node.sent<wire::Ack>(worker(3)).size(), 1);
  EXPECT_EQ(node.core.counters().misdirected_probes, 1);
}

TEST(Probing, ANodeThatSleptReadsItsMailBeforeItJudges) {
  OneNode node = among_workers();
  const auto world = node.answering({worker(3), worker(4), worker(5), worker(6)});
  while (node.core.counters().peers_suspect == 0) node.advance(100ms, world);
  node.now += 10min;  // stopped; meanwhile the suspect refuted, which lies in the mailbox
  node.advance(0s, world);
  EXPECT_TRUE(node.all<Membership::MemberDown>().empty());
  node.hear(worker(3), update(wire::UpdateKind::kAlive, worker(2), 2, worker(2)));
  node.advance(30s, node.answering({worker(2), worker(3), worker(4), worker(5), worker(6)}));
  EXPECT_TRUE(node.all<Membership::MemberDown>().empty());
}

}  // namespace
}  // namespace hyperscale::membership::test
