// What this node answers to what is said about it, and about others.

#include "one_node.h"

#include <gtest/gtest.h>

namespace hyperscale::membership::test {
namespace {

using wire::Incarnation;
using wire::UpdateKind;

OneNode among_managers() {
  OneNode node(manager(1), Config::scaled_to(1s, wire::NodeRole::kManager), 4);
  for (std::uint16_t i = 2; i <= 4; ++i) node.meet(manager(i));
  node.log.clear();
  return node;
}

// proves: SWIM-2, MSG-UDP-5, SWIM-5
TEST(Reputation, RefutesASuspicionWithAHigherIncarnation) {
  for (const UpdateKind accusation : {UpdateKind::kSuspect, UpdateKind::kDead}) {
    for (const std::uint64_t at : {5, 9}) {
      OneNode node = among_managers();
      ASSERT_EQ(node.core.incarnation(), Incarnation(5));
      node.hear(manager(2), update(accusation, manager(1), at, manager(3)));
      EXPECT_EQ(node.core.incarnation(), Incarnation(at + 1));
      const auto announced = node.sent<wire::Announce>(manager(2));
      ASSERT_EQ(announced.size(), 1);
      EXPECT_EQ(announced.front().update, update(UpdateKind::kAlive, manager(1), at + 1, manager(1)));
      EXPECT_EQ(node.core.counters().refutations, 1);
    }
  }
}

// proves: MSG-UDP-5
TEST(Reputation, ARefutationThatIsPassedOnEndsASuspicion) {
  OneNode node = among_managers();
  node.hear(manager(2), update(UpdateKind::kSuspect, manager(3), 1, manager(4)));
  ASSERT_EQ(node.state(manager(3)), MemberState::kSuspect);
  node.hear(manager(2), update(UpdateKind::kAlive, manager(3), 1, manager(3)));
  EXPECT_EQ(node.state(manager(3)), MemberState::kSuspect) << "an incarnation that was accused refutes nothing";
  node.hear(manager(2), update(UpdateKind::kAlive, manager(3), 2, manager(3)));
  EXPECT_EQ(node.state(manager(3)), MemberState::kAlive);
  EXPECT_EQ(node.incarnation_of(manager(3)), 2);
}

// proves: SWIM-2
TEST(Reputation, RefutesWhateverMessageAccuses) {
  for (const UpdateKind accusation : {UpdateKind::kSuspect, UpdateKind::kDead}) {
    const auto accused = update(accusation, manager(1), 5, manager(3));
    OneNode by_page = among_managers();
    by_page.receive(manager(2), wire::SyncPage{.members = {accused}});
    OneNode by_gossip = among_managers();
    by_gossip.receive(manager(2), wire::Ack{}, 1, {accused});
    for (const OneNode* node : {&by_page, &by_gossip}) {
      EXPECT_EQ(node->core.incarnation(), Incarnation(6));
      const auto announced = node->sent<wire::Announce>(manager(2));
      ASSERT_EQ(announced.size(), 1);
      EXPECT_EQ(announced.front().update, update(UpdateKind::kAlive, manager(1), 6, manager(1)));
    }
  }
}

// proves: SWIM-2
TEST(Reputation, AnAccusationOfAnOlderIncarnationIsIgnored) {
  OneNode node = among_managers();
  node.hear(manager(2), update(UpdateKind::kSuspect, manager(1), 4, manager(3)));
  EXPECT_EQ(node.core.incarnation(), Incarnation(5));
  EXPECT_TRUE(node.all<Membership::IncarnationChanged>().empty());
}

TEST(Reputation, NewIncarnationReachesOwnerBeforeSending) {
  OneNode node = among_managers();
  node.hear(manager(2), update(UpdateKind::kSuspect, manager(1), 5, manager(3)));
  bool durable = false;
  for (const auto& logged : node.log) {
    if (std::holds_alternative<Membership::IncarnationChanged>(logged.action)) durable = true;
    if (const auto* send = std::get_if<Membership::Send>(&logged.action);
        send && send->message.incarnation == Incarnation(6)) {
      EXPECT_TRUE(durable);
    }
  }
  EXPECT_TRUE(durable);
}

// proves: SWIM-2
TEST(Reputation, AnAnswerToWhoAccusesAlreadyRefutes) {
  OneNode node = among_managers();
  node.receive(manager(2), wire::Probe{.sequence = 3, .target = manager(1).address}, 1,
               {update(UpdateKind::kSuspect, manager(1), 5, manager(2))});
  for (const auto& send : node.sends<wire::Ack>()) EXPECT_EQ(send.message.incarnation, Incarnation(6));
  EXPECT_EQ(node.sends<wire::Ack>().size(), 1);
}

// proves: SWIM-2
TEST(Reputation, TheRefutationIsGossiped) {
  OneNode node = among_managers();
  node.advance(10s, node.answering({manager(2), manager(3), manager(4)}));  // old news is out
  node.log.clear();
  node.hear(manager(2), update(UpdateKind::kSuspect, manager(1), 5, manager(3)));
  node.advance(2s, node.answering({manager(2), manager(3), manager(4)}));
  const auto wanted = update(UpdateKind::kAlive, manager(1), 6, manager(1));
  std::size_t told = 0;
  for (const auto& send : node.all<Membership::Send>()) {
    const auto* announce = std::get_if<wire::Announce>(&send.message.body);
    if (announce != nullptr && announce->update == wanted) ++told;
    told += static_cast<std::size_t>(std::count(send.message.gossip.begin(), send.message.gossip.end(), wanted));
  }
  EXPECT_GE(told, 4);
}

TEST(Reputation, ForgottenIncarnationIsAdoptedFromGossip) {
  OneNode node = among_managers();
  node.hear(manager(2), update(UpdateKind::kAlive, manager(1), 40, manager(1)));
  EXPECT_EQ(node.core.incarnation(), Incarnation(41));
  node.hear(manager(2), update(UpdateKind::kDead, manager(1), UINT64_MAX, manager(3)));
  EXPECT_EQ(node.core.incarnation(), Incarnation(41));
}

// Lifeguard's buddy: whoever writes to a suspect tells it first.
TEST(Reputation, SuspectIsToldFirstInEveryMessage) {
  OneNode node = among_managers();
  for (std::uint16_t i = 20; i < 40; ++i) node.meet(worker(i));  // other news, and more urgent by kind
  node.hear(manager(2), update(UpdateKind::kSuspect, manager(3), 1, manager(2)));
  node.log.clear();
  node.receive(manager(3), wire::Probe{.sequence = 8, .target = manager(1).address});
  const auto acks = node.sends<wire::Ack>();
  ASSERT_EQ(acks.size(), 1);
  ASSERT_FALSE(acks.front().message.gossip.empty());
  EXPECT_EQ(acks.front().message.gossip.front().kind, UpdateKind::kSuspect);
  EXPECT_EQ(acks.front().message.gossip.front().subject, manager(3));
}

// proves: MSG-UDP-6
TEST(Reputation, OneThatIsHeldDeadAndSpeaksIsToldSo) {
  OneNode node = among_managers();
  node.hear(manager(2), update(UpdateKind::kSuspect, manager(3), 1, manager(2)));
  node.hear(manager(2), update(UpdateKind::kDead, manager(3), 1, manager(2)));
  ASSERT_EQ(node.state(manager(3)), MemberState::kDead);
  node.log.clear();
  node.receive(manager(3), wire::SyncRequest{});
  EXPECT_EQ(node.state(manager(3)), MemberState::kDead);  // an equal incarnation does not raise it
  const auto told = node.sent<wire::Announce>(manager(3));
  ASSERT_EQ(told.size(), 1);
  EXPECT_EQ(told.front().update, update(UpdateKind::kDead, manager(3), 1, manager(1)));
  node.receive(manager(3), wire::Announce{.update = update(UpdateKind::kAlive, manager(3), 2, manager(3))}, 2);
  EXPECT_EQ(node.state(manager(3)), MemberState::kAlive);
}

// proves: SWIM-3
TEST(Reputation, DistinctConfirmationsShortenSuspicion) {
  const auto died_after = [](std::size_t confirmations, bool distinct) {
    OneNode node(worker(1));
    std::vector<wire::NodeIdentity> others;
    for (std::uint16_t i = 3; i <= 12; ++i) others.push_back(worker(i));
    node.meet(worker(2));
    for (const auto& other : others) node.meet(other);
    node.hear(worker(3), update(UpdateKind::kSuspect, worker(2), 1, worker(3)));
    const MonoTime suspected = node.now;
    for (std::uint16_t i = 0; i < confirmations; ++i) {
      const auto origin = worker(static_cast<std::uint16_t>(distinct ? 4 + i : 3));
      node.hear(worker(4), update(UpdateKind::kSuspect, worker(2), 1, origin));
    }
    const auto world = node.answering(others);
    while (node.all<Membership::MemberDown>().empty()) node.advance(50ms, world);
    return node.now - suspected;
  };
  EXPECT_LT(died_after(3, true), 6s);
  EXPECT_LT(died_after(3, true), died_after(0, true));
  EXPECT_EQ(died_after(5, false), died_after(0, false));
}

}  // namespace
}  // namespace hyperscale::membership::test
