// Each checker is shown what it is for, and something close to it that is allowed.
#include "sim/checkers/callback_checker.h"
#include "sim/checkers/leader_checker.h"
#include "sim/checkers/packet_checker.h"
#include "sim/checkers/replay_checker.h"
#include "sim/checkers/settled_checker.h"
#include "sim/checkers/state_checker.h"
#include "sim/checkers/vote_checker.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::sim {
namespace {

std::string name_of(HostId host) {
  return "node" + std::to_string(host);
}

bool all_related(HostId, HostId) {
  return true;
}

TEST(LeaderChecker, TwoWinnersOfOneTerm) {
  LeaderChecker checker;
  EXPECT_FALSE(checker.became_leader(0, 1, 5, 50));
  EXPECT_FALSE(checker.became_leader(1, 2, 5, 50)) << "another group";
  EXPECT_FALSE(checker.became_leader(0, 2, 6, 60));
  EXPECT_TRUE(checker.became_leader(0, 3, 5, 50));
}

TEST(LeaderChecker, OneThatWinsATermTwice) {
  LeaderChecker checker;
  EXPECT_FALSE(checker.became_leader(0, 1, 5, 50));
  EXPECT_TRUE(checker.became_leader(0, 1, 5, 51));
}

TEST(LeaderChecker, FencingTokensFollowTheOrderOfTerms) {
  LeaderChecker checker;
  EXPECT_FALSE(checker.became_leader(0, 1, 7, 70));
  EXPECT_FALSE(checker.became_leader(0, 2, 5, 50)) << "a late winner of an older term never acts";
  EXPECT_TRUE(checker.became_leader(0, 3, 8, 70));
  EXPECT_TRUE(checker.became_leader(0, 3, 4, 60));
}

TEST(LeaderChecker, TwoThatActAtOnce) {
  LeaderChecker checker;
  EXPECT_FALSE(checker.acting(0, {3}));
  EXPECT_TRUE(checker.acting(0, {3, 4}));
}

TEST(LeaderChecker, OneThatActsInAnOldTerm) {
  LeaderChecker checker;
  EXPECT_FALSE(checker.acting_term(0, 1, 5));
  EXPECT_FALSE(checker.acting_term(0, 1, 5));
  EXPECT_FALSE(checker.acting_term(0, 2, 6));
  EXPECT_FALSE(checker.acting_term(1, 2, 2)) << "another group";
  EXPECT_TRUE(checker.acting_term(0, 1, 5));
}

TEST(VoteChecker, AVoteIsGivenOnce) {
  VoteChecker checker;
  EXPECT_FALSE(checker.persisted(1, {.incarnation = 1, .term = 4, .voted_for = ""}));
  EXPECT_FALSE(checker.persisted(1, {.incarnation = 1, .term = 4, .voted_for = "a"}));
  EXPECT_FALSE(checker.persisted(1, {.incarnation = 2, .term = 4, .voted_for = "a"}));
  EXPECT_FALSE(checker.persisted(2, {.incarnation = 1, .term = 4, .voted_for = "b"})) << "somebody else";
  EXPECT_TRUE(checker.persisted(1, {.incarnation = 2, .term = 4, .voted_for = "b"}));
  EXPECT_TRUE(checker.persisted(1, {.incarnation = 2, .term = 4, .voted_for = ""})) << "and is not forgotten";
  EXPECT_FALSE(checker.persisted(1, {.incarnation = 2, .term = 5, .voted_for = "b"}));
}

TEST(VoteChecker, NothingGoesBack) {
  VoteChecker checker;
  EXPECT_FALSE(checker.persisted(1, {.incarnation = 3, .term = 4, .voted_for = ""}));
  EXPECT_TRUE(checker.persisted(1, {.incarnation = 3, .term = 3, .voted_for = ""}));
  EXPECT_TRUE(checker.persisted(1, {.incarnation = 2, .term = 4, .voted_for = ""}));
}

TEST(CallbackChecker, ADeathIsToldOnce) {
  CallbackChecker checker;
  EXPECT_FALSE(checker.up(1, 2, false));
  EXPECT_FALSE(checker.down(1, 2, 7));
  EXPECT_TRUE(checker.down(1, 2, 7));
  EXPECT_TRUE(checker.down(1, 2, 8)) << "also with another incarnation: it never came back";
}

TEST(CallbackChecker, WhoCameBackMayDieAgain) {
  CallbackChecker checker;
  EXPECT_FALSE(checker.up(1, 2, false));
  EXPECT_FALSE(checker.down(1, 2, 7));
  EXPECT_FALSE(checker.up(1, 2, true));
  EXPECT_FALSE(checker.down(1, 2, 8));
  EXPECT_FALSE(checker.up(1, 2, true));
  EXPECT_TRUE(checker.down(1, 2, 6)) << "in an older life";
}

TEST(CallbackChecker, NobodyDiesUnconfirmed) {
  CallbackChecker checker;
  EXPECT_TRUE(checker.down(1, 2, 1));
}

TEST(CallbackChecker, UpIsToldOnceAndBackOnlyAfterADeath) {
  CallbackChecker checker;
  EXPECT_TRUE(checker.up(1, 3, true));
  EXPECT_FALSE(checker.up(1, 2, false));
  EXPECT_TRUE(checker.up(1, 2, false));
}

TEST(CallbackChecker, ARestartForgetsThePastOfOneObserver) {
  CallbackChecker checker;
  EXPECT_FALSE(checker.up(1, 2, false));
  EXPECT_FALSE(checker.up(2, 1, false));
  checker.restarted(1);
  EXPECT_FALSE(checker.up(1, 2, false));
  EXPECT_TRUE(checker.up(2, 1, false));
}

TEST(CallbackChecker, TheViewAgreesWithWhatWasTold) {
  CallbackChecker checker;
  EXPECT_FALSE(checker.seen(1, {2, SeenState::kUnconfirmed}));
  EXPECT_TRUE(checker.seen(1, {2, SeenState::kAlive}));
  EXPECT_FALSE(checker.up(1, 2, false));
  EXPECT_FALSE(checker.seen(1, {2, SeenState::kAlive}));
  EXPECT_FALSE(checker.seen(1, {2, SeenState::kSuspect}));
  EXPECT_TRUE(checker.seen(1, {2, SeenState::kDead}));
  EXPECT_FALSE(checker.down(1, 2, 1));
  EXPECT_FALSE(checker.seen(1, {2, SeenState::kDead}));
  EXPECT_TRUE(checker.seen(1, {2, SeenState::kAlive}));
}

TEST(StateChecker, AnOldStateAfterANewerOne) {
  StateChecker checker;
  EXPECT_FALSE(checker.handed(1, 2, {1, 1}));
  EXPECT_FALSE(checker.handed(1, 2, {1, 3}));
  EXPECT_FALSE(checker.handed(3, 2, {1, 2})) << "somebody else";
  EXPECT_FALSE(checker.handed(1, 2, {1, 3})) << "the same again";
  EXPECT_TRUE(checker.handed(1, 2, {1, 2}));
  EXPECT_FALSE(checker.handed(1, 2, {2, 1})) << "it restarted";
  EXPECT_TRUE(checker.handed(1, 2, {1, 9}));
  checker.restarted(1);
  EXPECT_FALSE(checker.handed(1, 2, {1, 9}));
}

TEST(ReplayChecker, ADatagramThatHasAnEffectTwice) {
  ReplayChecker checker(3);
  EXPECT_FALSE(checker.taken(1, 77));
  EXPECT_FALSE(checker.taken(2, 77)) << "somebody else";
  EXPECT_FALSE(checker.taken(1, 78));
  EXPECT_TRUE(checker.taken(1, 77));
  checker.restarted(1);
  EXPECT_FALSE(checker.taken(1, 77));
}

TEST(PacketChecker, ANonceThatIsUsedAgain) {
  PacketChecker checker(1'400, 33);
  std::vector<std::uint8_t> packet(100, 1);
  EXPECT_FALSE(checker.nonce(1, packet));
  EXPECT_FALSE(checker.nonce(1, packet)) << "the same bytes to somebody else";
  packet[32] = 2;  // the last byte of the nonce
  EXPECT_FALSE(checker.nonce(1, packet));
  packet[99] = 2;  // other content under it
  EXPECT_TRUE(checker.nonce(2, packet));
  EXPECT_TRUE(checker.nonce(1, std::vector<std::uint8_t>(20))) << "not sealed at all";
}

TEST(PacketChecker, ADatagramThatDoesNotFit) {
  const PacketChecker checker(1'400, 33);
  EXPECT_FALSE(checker.size(1, std::vector<std::uint8_t>(1'400)));
  EXPECT_TRUE(checker.size(1, std::vector<std::uint8_t>(1'401)));
}

NodeSnapshot node(HostId host, std::optional<HostId> leader, std::uint64_t term, bool acts,
                  std::vector<SeenMember> members = {}) {
  return {.host = host, .group = 0, .leader = leader, .term = term, .acts = acts, .members = std::move(members)};
}

TEST(SettledChecker, FindsLivingNodeThatAnotherCallsDead) {
  const auto finding = [](std::vector<SeenMember> seen) {
    return all_see_each_other({node(1, 1, 1, true, {{2, SeenState::kAlive}}), node(2, 1, 1, false, std::move(seen))},
                              all_related, name_of);
  };
  EXPECT_FALSE(finding({{1, SeenState::kAlive}}));
  EXPECT_FALSE(finding({{1, SeenState::kSuspect}}));
  EXPECT_FALSE(finding({{1, SeenState::kAlive}, {9, SeenState::kDead}})) << "node9 does not run";
  EXPECT_EQ(finding({{1, SeenState::kDead}}), "node1 runs, but to node2 it is dead");
  EXPECT_TRUE(finding({{1, SeenState::kUnconfirmed}}));
  EXPECT_EQ(finding({}), "node1 runs, but to node2 it is unknown");
}

TEST(SettledChecker, UnrelatedNodesNeedNotKnowEachOther) {
  const auto nobody = [](HostId, HostId) { return false; };
  EXPECT_FALSE(all_see_each_other({node(1, 1, 1, true), node(2, 1, 1, false)}, nobody, name_of));
}

TEST(SettledChecker, AMajorityHasExactlyOneLeaderThatAllAgreeOn) {
  const GroupSize three{.group = 0, .configured = 3};
  EXPECT_FALSE(one_leader({node(1, 1, 4, true), node(2, 1, 4, false), node(3, 1, 4, false)}, three, name_of));
  EXPECT_FALSE(one_leader({node(1, 1, 4, true), node(2, 1, 4, false)}, three, name_of));
  EXPECT_FALSE(one_leader({node(1, std::nullopt, 4, false)}, three, name_of)) << "no majority";
  EXPECT_TRUE(one_leader({node(1, 1, 4, false), node(2, 1, 4, false)}, three, name_of)) << "nobody acts";
  EXPECT_TRUE(one_leader({node(1, 1, 4, true), node(2, 2, 5, true)}, three, name_of)) << "two act";
  EXPECT_TRUE(one_leader({node(1, 1, 4, true), node(2, 3, 4, false)}, three, name_of)) << "another is believed in";
  EXPECT_TRUE(one_leader({node(1, 1, 4, true), node(2, 1, 3, false)}, three, name_of)) << "another term";
}

TEST(SettledChecker, ADeadOneIsKnownToAllThatWatchIt) {
  const auto finding = [](std::vector<SeenMember> seen) {
    return known_dead({node(1, 1, 1, true, std::move(seen))}, 2, all_related, name_of);
  };
  EXPECT_FALSE(finding({{2, SeenState::kDead}}));
  EXPECT_FALSE(finding({{2, SeenState::kLeft}}));
  EXPECT_FALSE(finding({}));
  EXPECT_EQ(finding({{2, SeenState::kSuspect}}), "node2 is gone, but to node1 it is suspect");
  EXPECT_TRUE(finding({{2, SeenState::kAlive}}));
}

TEST(SettledChecker, AQueueBeyondItsLimit) {
  EXPECT_FALSE(within_limits(1, {{"gossip", 5, 5}}));
  EXPECT_EQ(within_limits(1, {{"gossip", 5, 5}, {"other", 6, 5}}), "machine 1: other is 6, at most 5 is allowed");
}

}  // namespace
}  // namespace hyperscale::sim
