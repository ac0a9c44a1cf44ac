// AD-31: every node reacts to a death alike, whether it saw it itself or heard of it.

#include "base/prng.h"
#include "one_node.h"

#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::membership::test {
namespace {

using wire::UpdateKind;

OneNode that_knows(const wire::NodeIdentity& self, const wire::NodeIdentity& subject,
                   const wire::NodeIdentity& teller) {
  OneNode node(self);
  node.meet(subject);
  node.meet(teller);
  node.log.clear();
  return node;
}

struct Relation {
  wire::NodeIdentity self;
  wire::NodeIdentity subject;
  wire::NodeIdentity teller;
};

class GossipedDeath : public ::testing::TestWithParam<Relation> {};

// proves: AD31-1, AD31-2, AD31-6
// proves part: AD31-4 (deaths; a departure that is heard of is not counted here)
TEST_P(GossipedDeath, IsToldExactlyOnceAndCountedApart) {
  const auto& [self, subject, teller] = GetParam();
  OneNode node = that_knows(self, subject, teller);
  node.hear(teller, update(UpdateKind::kSuspect, subject, 1, teller));
  EXPECT_TRUE(node.all<Membership::MemberDown>().empty());
  for (int i = 0; i < 3; ++i) node.hear(teller, update(UpdateKind::kDead, subject, 1, teller));
  node.receive(teller, wire::SyncPage{.members = {update(UpdateKind::kDead, subject, 1, teller)}});
  node.advance(300s, node.answering({teller}));
  const auto downs = node.all<Membership::MemberDown>();
  ASSERT_EQ(downs.size(), 1);
  EXPECT_EQ(downs.front().member, subject);
  EXPECT_TRUE(downs.front().heard_by_gossip);
  EXPECT_FALSE(downs.front().left);
  EXPECT_EQ(node.core.counters().deaths_gossiped, 1);
  EXPECT_EQ(node.core.counters().deaths_detected, 0);
}

// proves: AD31-6
TEST_P(GossipedDeath, IsToldToOneThatFoundItItselfToo) {
  const auto& [self, subject, teller] = GetParam();
  OneNode node = that_knows(self, subject, teller);
  node.advance(300s, node.answering({teller}));
  const auto downs = node.all<Membership::MemberDown>();
  ASSERT_EQ(downs.size(), 1);
  EXPECT_EQ(downs.front().member, subject);
  EXPECT_FALSE(downs.front().heard_by_gossip);
  EXPECT_EQ(node.core.counters().deaths_detected, 1);
}

INSTANTIATE_TEST_SUITE_P(
    Relations, GossipedDeath,
    ::testing::Values(Relation{gate(1), gate(2), gate(3)}, Relation{manager(1), manager(2), manager(3)},
                      Relation{gate(1), manager(2), gate(3)}, Relation{manager(1), gate(2), manager(3)},
                      Relation{manager(1), worker(2), manager(3)}, Relation{worker(1), manager(2), worker(3)}),
    [](const auto& info) { return kind(info.param.self) + "_hears_of_" + kind(info.param.subject); });

// proves: AD31-1
// proves part: AD31-4 (deaths; a departure that is heard of is not counted here)
TEST(Deaths, ADeathThatWasSeenIsNotToldAgainWhenItIsHeard) {
  OneNode node = that_knows(worker(1), worker(2), worker(3));
  const auto world = node.answering({worker(3)});
  node.advance(120s, world);
  ASSERT_EQ(node.all<Membership::MemberDown>().size(), 1);
  EXPECT_FALSE(node.all<Membership::MemberDown>().front().heard_by_gossip);
  node.hear(worker(3), update(UpdateKind::kDead, worker(2), 1, worker(3)));
  node.hear(worker(3), update(UpdateKind::kDead, worker(2), 7, worker(3)));
  EXPECT_EQ(node.all<Membership::MemberDown>().size(), 1);
  EXPECT_EQ(node.core.counters().deaths_detected, 1);
  EXPECT_EQ(node.core.counters().deaths_gossiped, 0);
}

// proves: AD31-3, SWIM-2
TEST(Deaths, OldGossipIsRejected) {
  OneNode node = that_knows(manager(1), manager(2), manager(3));
  node.meet(manager(2), 5);
  node.hear(manager(3), update(UpdateKind::kSuspect, manager(2), 4, manager(3)));
  node.hear(manager(3), update(UpdateKind::kDead, manager(2), 4, manager(3)));
  node.hear(manager(3), update(UpdateKind::kLeave, manager(2), 4, manager(3)));
  EXPECT_EQ(node.state(manager(2)), MemberState::kAlive);
  EXPECT_TRUE(node.all<Membership::MemberDown>().empty());
  EXPECT_EQ(node.core.counters().stale_updates, 3);
  node.hear(manager(3), update(UpdateKind::kAlive, manager(2), 6, manager(2)));
  EXPECT_EQ(node.incarnation_of(manager(2)), 6) << "a higher one is kept, whoever tells it";
  node.hear(manager(3), update(UpdateKind::kSuspect, manager(2), 5, manager(3)));
  EXPECT_EQ(node.state(manager(2)), MemberState::kAlive);
}

// proves: MSG-UDP-6
TEST(Deaths, AccusationsNameTheLastKnownIncarnation) {
  OneNode node = that_knows(worker(1), worker(2), worker(3));
  node.meet(worker(2), 5);
  node.log.clear();
  node.advance(120s, node.answering({worker(3)}));
  int suspicions = 0;
  int deaths = 0;
  for (const auto& logged : node.log) {
    const auto* send = std::get_if<Membership::Send>(&logged.action);
    if (send == nullptr) continue;
    for (const auto& told : send->message.gossip) {
      const bool is_suspicion = told.kind == UpdateKind::kSuspect;
      if (told.subject.name != worker(2).name || (!is_suspicion && told.kind != UpdateKind::kDead)) continue;
      EXPECT_EQ(told.incarnation, wire::Incarnation(5));
      ++(is_suspicion ? suspicions : deaths);
    }
  }
  EXPECT_GT(suspicions, 0);
  EXPECT_GT(deaths, 0);
  int told_itself = 0;
  for (const auto& [news] : node.sent<wire::Announce>(worker(2))) {
    if (news.subject != worker(2)) continue;
    EXPECT_EQ(news.incarnation, wire::Incarnation(5));
    ++told_itself;
  }
  EXPECT_GT(told_itself, 0) << "the accused hears of it";
}

// proves: AD31-1, MSG-UDP-4
TEST(Deaths, ADepartureIsToldOnceAndAsSuch) {
  OneNode node = that_knows(manager(1), manager(2), manager(3));
  node.receive(manager(2), wire::Leave{});
  EXPECT_EQ(node.all<Membership::MemberDown>().size(), 1) << "its own word is enough";
  node.hear(manager(3), update(UpdateKind::kLeave, manager(2), 1, manager(2)));
  node.hear(manager(3), update(UpdateKind::kDead, manager(2), 1, manager(3)));
  ASSERT_EQ(node.all<Membership::MemberDown>().size(), 1);
  EXPECT_TRUE(node.all<Membership::MemberDown>().front().left);
  EXPECT_EQ(node.state(manager(2)), MemberState::kLeft);
}

// proves: AD31-1, AD31-2
TEST(Deaths, ADepartureThatIsHeardOfIsToldOnce) {
  OneNode node = that_knows(manager(1), manager(2), manager(3));
  for (int i = 0; i < 2; ++i) node.hear(manager(3), update(UpdateKind::kLeave, manager(2), 1, manager(2)));
  ASSERT_EQ(node.all<Membership::MemberDown>().size(), 1);
  EXPECT_EQ(node.all<Membership::MemberDown>().front().member, manager(2));
  EXPECT_TRUE(node.all<Membership::MemberDown>().front().left);
  EXPECT_EQ(node.state(manager(2)), MemberState::kLeft);
}

// proves: AD29-8, AD31-1
// proves part: AD31-11 (told as a recovery on every path; not that votes and the count of workers take it back)
// proves part: SWIM-1 (states, timers, gossip and callbacks; no manager gives out work by them yet)
TEST(Deaths, ComingBackIsToldAsARecovery) {
  OneNode node = that_knows(manager(1), manager(2), manager(3));
  for (std::uint64_t life = 1; life <= 3; ++life) {
    node.hear(manager(3), update(UpdateKind::kSuspect, manager(2), life, manager(3)));
    node.hear(manager(3), update(UpdateKind::kDead, manager(2), life, manager(3)));
    EXPECT_EQ(node.state(manager(2)), MemberState::kDead);
    // By gossip in odd lives, by itself in even ones: a dead member needs no new confirmation.
    if (life % 2 == 1) node.hear(manager(3), update(UpdateKind::kAlive, manager(2), life + 1, manager(2)));
    if (life % 2 == 0) node.meet(manager(2), life + 1);
    EXPECT_EQ(node.state(manager(2)), MemberState::kAlive);
  }
  EXPECT_EQ(node.all<Membership::MemberDown>().size(), 3);
  ASSERT_EQ(node.all<Membership::MemberUp>().size(), 3);
  for (const auto& up : node.all<Membership::MemberUp>()) EXPECT_TRUE(up.recovered);
  EXPECT_EQ(node.core.counters().recoveries, 3);
}

// proves part: SWIM-1 (states, timers, gossip and callbacks; no manager gives out work by them yet)
TEST(Deaths, TheDeadAreNotProbed) {
  OneNode node = that_knows(worker(1), worker(2), worker(3));
  node.hear(worker(3), update(UpdateKind::kSuspect, worker(2), 1, worker(3)));
  node.hear(worker(3), update(UpdateKind::kDead, worker(2), 1, worker(3)));
  node.log.clear();
  node.advance(60s, node.answering({worker(3)}));
  EXPECT_TRUE(node.sent<wire::Probe>(worker(2)).empty());
  EXPECT_GE(node.sent<wire::Probe>(worker(3)).size(), 50);
}

// proves: SWIM-PROBE-1
TEST(Deaths, ADeathThatNobodySuspectedIsASuspicionFirst) {
  OneNode node = that_knows(manager(1), manager(2), manager(3));
  node.hear(manager(3), update(UpdateKind::kDead, manager(2), 1, manager(3)));
  EXPECT_EQ(node.state(manager(2)), MemberState::kSuspect);
  EXPECT_TRUE(node.all<Membership::MemberDown>().empty());
  ASSERT_FALSE(node.sent<wire::Announce>(manager(2)).empty());  // so that it can refute
  node.advance(4s, node.answering({manager(3)}));
  ASSERT_EQ(node.all<Membership::MemberDown>().size(), 1);
  EXPECT_TRUE(node.all<Membership::MemberDown>().front().heard_by_gossip);
}

// proves: SWIM-PROBE-1
TEST(Deaths, ADeathOnAPageIsASuspicionFirstToo) {
  OneNode node = that_knows(manager(1), manager(2), manager(3));
  node.receive(manager(3), wire::SyncPage{.members = {update(UpdateKind::kDead, manager(2), 1, manager(3))}});
  EXPECT_EQ(node.state(manager(2)), MemberState::kSuspect);
  EXPECT_TRUE(node.all<Membership::MemberDown>().empty());
}

TEST(Deaths, ADoubtedDeathCanBeRefuted) {
  OneNode node = that_knows(manager(1), manager(2), manager(3));
  node.hear(manager(3), update(UpdateKind::kDead, manager(2), 1, manager(3)));
  node.receive(manager(2), wire::Announce{.update = update(UpdateKind::kAlive, manager(2), 2, manager(2))}, 2);
  node.advance(60s, node.answering({manager(2), manager(3)}));
  EXPECT_TRUE(node.all<Membership::MemberDown>().empty());
  EXPECT_EQ(node.core.counters().deaths_gossiped, 0);
}

// proves: AD31-3, MSG-UDP-6
// proves part: SWIM-1 (states, timers, gossip and callbacks; no manager gives out work by them yet)
// proves part: AD30-LIM-2 (deaths of nodes; not those for a job, which stay until it ends)
TEST(Deaths, ReapedMemberIsNotRevivedByOldGossip) {
  OneNode node = that_knows(manager(1), manager(2), manager(3));
  node.hear(manager(3), update(UpdateKind::kSuspect, manager(2), 6, manager(3)));
  node.hear(manager(3), update(UpdateKind::kDead, manager(2), 6, manager(3)));
  const auto world = node.answering({manager(3)});
  node.advance(899s, world);
  EXPECT_TRUE(node.knows(manager(2)));
  node.advance(2s, world);
  EXPECT_FALSE(node.knows(manager(2)));
  EXPECT_EQ(node.core.counters().reaped, 1);
  for (const UpdateKind said : {UpdateKind::kJoin, UpdateKind::kAlive, UpdateKind::kSuspect})
    for (const std::uint64_t old : {5, 6}) node.hear(manager(3), update(said, manager(2), old, manager(2)));
  EXPECT_FALSE(node.knows(manager(2)));
  node.log.clear();
  node.meet(manager(2), 6);  // it is told, and comes back with more
  EXPECT_FALSE(node.knows(manager(2)));
  const auto told = node.sent<wire::Announce>(manager(2));
  ASSERT_EQ(told.size(), 1);
  EXPECT_EQ(told.front().update, update(UpdateKind::kDead, manager(2), 6, manager(1)));
  node.meet(manager(2), 7);
  EXPECT_EQ(node.state(manager(2)), MemberState::kAlive);
}

// proves: AD31-1
TEST(Deaths, AnotherProcessAtTheSameAddressIsAnotherMember) {
  OneNode node = that_knows(manager(1), manager(2), manager(3));
  wire::NodeIdentity other = manager(2);
  other.name = "newcomer";
  node.meet(other, 2);
  ASSERT_EQ(node.all<Membership::MemberDown>().size(), 1);
  EXPECT_EQ(node.all<Membership::MemberDown>().front().member.name, manager(2).name);
  ASSERT_EQ(node.all<Membership::MemberUp>().size(), 1);
  EXPECT_EQ(node.all<Membership::MemberUp>().front().member.name, "newcomer");
  OneNode later = that_knows(manager(1), manager(2), manager(3));
  later.hear(manager(3), update(UpdateKind::kSuspect, manager(2), 1, manager(3)));
  later.hear(manager(3), update(UpdateKind::kDead, manager(2), 1, manager(3)));
  later.meet(other, 2);
  EXPECT_EQ(later.all<Membership::MemberDown>().size(), 1) << "its death was told before";
  EXPECT_EQ(later.all<Membership::MemberUp>().size(), 1);
}

// Whatever is heard in whatever order, ups and downs of a member alternate, and an up comes first.
// proves: AD31-1
RC_GTEST_PROP(Deaths, UpsAndDownsAlternate, (std::uint64_t seed)) {
  Prng prng(seed);
  OneNode node(manager(1), Config::scaled_to(1s, wire::NodeRole::kManager), 0, seed);
  node.meet(manager(3));
  for (int step = 0; step < 150; ++step) {
    const auto subject = prng.below(2) == 0 ? manager(2) : worker(2);
    const std::uint64_t incarnation = prng.below(6);
    switch (prng.below(5)) {
      case 0:
        node.receive(subject, wire::Ack{}, incarnation);
        break;
      case 1:
        node.advance(Duration(prng.below(20'000) * 1'000'000), node.answering({manager(3)}));
        break;
      case 2:
        node.receive(manager(3), wire::SyncPage{.members = {update(static_cast<UpdateKind>(2 + prng.below(4)), subject,
                                                                   incarnation, manager(3))}});
        break;
      default:
        node.hear(manager(3), update(static_cast<UpdateKind>(1 + prng.below(5)), subject, incarnation, manager(3)));
    }
  }
  std::map<wire::NodeAddress, bool> is_up;
  for (const auto& logged : node.log) {
    if (const auto* up = std::get_if<Membership::MemberUp>(&logged.action)) {
      RC_ASSERT(!is_up[up->member.address]);
      is_up[up->member.address] = true;
    }
    if (const auto* down = std::get_if<Membership::MemberDown>(&logged.action)) {
      RC_ASSERT(is_up[down->member.address]);
      is_up[down->member.address] = false;
    }
  }
}

}  // namespace
}  // namespace hyperscale::membership::test
