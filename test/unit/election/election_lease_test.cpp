// The lease as one node sees it: when it begins, what renews it, what frees a follower.
#include "one_election.h"

#include <gtest/gtest.h>

namespace hyperscale::election {
namespace {

constexpr wire::Term kFive = wire::Term(5);
constexpr wire::Term kSix = wire::Term(6);

OneElection node_a() {
  OneElection one(config_of(kA), {.term = kFive, .voted_for = ""});
  one.settle({kB, kC});
  return one;
}
void win(OneElection& one) {
  ASSERT_TRUE(one.run_to(State::kPreCandidate));
  one.hear(kB, wire::PreVoteResponse{.term = kFive, .granted = true});
  one.hear(kB, wire::VoteResponse{.term = kSix, .granted = true});
  ASSERT_EQ(one.core.state(), State::kLeader);
}
void beat(OneElection& one, const wire::NodeIdentity& leader, std::uint64_t sequence, wire::Term term = kFive) {
  one.hear(leader, wire::LeaderHeartbeat{.term = term, .sequence = sequence, .rank = {}});
}

TEST(ElectionLease, StartsAtMajorityAckAndCountsFromSending) {
  OneElection one = node_a();
  win(one);
  const MonoTime sent = one.now;
  EXPECT_FALSE(one.core.leads(one.now)) << "votes are no lease";
  one.run_for(700ms);
  one.hear(kB, wire::LeaderHeartbeatAck{.term = kSix, .sequence = 1});
  EXPECT_TRUE(one.core.leads(one.now));
  EXPECT_TRUE(one.core.leads(sent + Timing().lease - 1ns));
  EXPECT_FALSE(one.core.leads(sent + Timing().lease));
}

TEST(ElectionLease, EndsWithoutAWakeUpToo) {
  OneElection one = node_a();
  win(one);
  one.hear(kB, wire::LeaderHeartbeatAck{.term = kSix, .sequence = 1});
  one.now += 60s;  // the process was stopped
  EXPECT_FALSE(one.core.leads(one.now));
  one.hear(kB, wire::LeaderHeartbeatAck{.term = kSix, .sequence = 1});
  EXPECT_EQ(one.core.state(), State::kFollower) << "whatever comes first finds it over";
}

TEST(ElectionLease, AnswersThatCannotBeTrueRenewNothing) {
  OneElection one = node_a();
  win(one);
  one.hear(kB, wire::LeaderHeartbeatAck{.term = kSix, .sequence = 2});
  one.hear(kB, wire::LeaderHeartbeatAck{.term = kSix, .sequence = 0});
  one.hear(kB, wire::LeaderHeartbeatAck{.term = kFive, .sequence = 1});
  EXPECT_FALSE(one.core.leads(one.now));
  EXPECT_EQ(one.core.stats().refused_replays, 2U);
}

TEST(ElectionLease, AnOldAnswerRenewsOnlyFromItsOwnHeartbeat) {
  OneElection one = node_a();
  win(one);
  const MonoTime first = one.now;
  one.run_for(Timing().heartbeat_interval * 2);
  one.hear(kC, wire::LeaderHeartbeatAck{.term = kSix, .sequence = 2});
  const MonoTime until = first + Timing().heartbeat_interval + Timing().lease;
  EXPECT_TRUE(one.core.leads(until - 1ns));
  EXPECT_FALSE(one.core.leads(until));
}

TEST(ElectionLease, AReplayedHeartbeatDoesNotProlongAPromise) {
  OneElection one = node_a();
  beat(one, kB, 3);
  EXPECT_TRUE(one.answer<wire::LeaderHeartbeatAck>());
  one.now += promise_of() - 1ms;
  beat(one, kB, 3);
  beat(one, kB, 2);
  EXPECT_TRUE(one.sent<wire::LeaderHeartbeatAck>().empty());
  one.hear(kB, wire::LeaderAnnounce{.term = kFive});
  one.now += 1ms;
  one.step(Election::Tick{});
  EXPECT_EQ(one.core.leader(), std::nullopt);
  beat(one, kB, 3);
  one.hear(kB, wire::LeaderAnnounce{.term = kFive});
  EXPECT_EQ(one.core.leader(), std::nullopt) << "nor does it bring the leader back";
}

// proves part: LEAD-5 (not that every higher term gets a vote: not from a voter that is bound to a leader)
TEST(ElectionLease, ALeaderOfAnOldTermIsToldSo) {
  OneElection one = node_a();
  beat(one, kB, 1, wire::Term(4));
  EXPECT_EQ(one.answer<wire::LeaderHeartbeatAck>(), (wire::LeaderHeartbeatAck{.term = kFive, .sequence = 1}));
  EXPECT_EQ(one.core.leader(), std::nullopt);
}

TEST(ElectionLease, TheFirstLeaderOfATermStays) {
  OneElection one = node_a();
  beat(one, kB, 1);
  beat(one, kC, 2);
  EXPECT_TRUE(one.sent<wire::LeaderHeartbeatAck>().empty());
  EXPECT_EQ(one.said<Election::Note>().size(), 1U);
  EXPECT_EQ(one.core.leader(), kB);
  EXPECT_EQ(one.core.stats().refused_leaders, 1U);
}

TEST(ElectionLease, TermIsDurableBeforeHeartbeatAck) {
  OneElection one = node_a();
  beat(one, kB, 1, kSix);
  ASSERT_GE(one.actions.size(), 2U);
  ASSERT_TRUE(std::holds_alternative<Election::Persist>(one.actions[0]));
  EXPECT_EQ(std::get<Election::Persist>(one.actions[0]).vote, (DurableVote{kSix, ""}));
}

TEST(ElectionLease, AResignationFreesTheVote) {
  OneElection one(config_of(kC), {.term = kFive, .voted_for = ""});
  one.settle({kA, kB});
  beat(one, kA, 4);
  beat(one, kB, kResignationSequence);
  EXPECT_EQ(one.core.leader(), kA) << "only the leader can resign";
  beat(one, kA, kResignationSequence, wire::Term(4));
  EXPECT_EQ(one.core.leader(), kA) << "and only from its term";
  beat(one, kA, kResignationSequence);
  EXPECT_EQ(one.core.leader(), std::nullopt);
  beat(one, kA, 5);
  EXPECT_EQ(one.core.leader(), std::nullopt) << "sent before the resignation, arrived after it";
  one.hear(kB, wire::VoteRequest{.term = kSix, .rank = {}});
  EXPECT_TRUE(one.answer<wire::VoteResponse>()->granted);
}

TEST(ElectionLease, WhoResignsHasStoppedBeforeItSaysSo) {
  OneElection one = node_a();
  win(one);
  one.hear(kB, wire::LeaderHeartbeatAck{.term = kSix, .sequence = 1});
  one.step(Election::Leave{});
  EXPECT_FALSE(one.core.leads(one.now));
  ASSERT_GE(one.actions.size(), 3U);
  EXPECT_TRUE(std::holds_alternative<Election::LostLeadership>(one.actions[0]));
  const auto told = one.sent<wire::LeaderHeartbeat>();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].second.sequence, kResignationSequence);
  EXPECT_EQ(told[0].second.term, kSix);
}

// proves: AD6-3, AD3-2
TEST(ElectionLease, ADeadLeadersLeaseRunsOutAllTheSame) {
  OneElection one(config_of(kC), {.term = kFive, .voted_for = ""});
  one.settle({kA, kB});
  beat(one, kA, 1);
  one.step(Election::PeerDown{kA});
  EXPECT_TRUE(one.core.has_quorum_available());
  EXPECT_EQ(one.core.leader(), kA);
  one.hear(kB, wire::VoteRequest{.term = kSix, .rank = {}});
  EXPECT_FALSE(one.answer<wire::VoteResponse>()->granted);
  one.step(Election::PeerDown{kB});
  EXPECT_FALSE(one.core.has_quorum_available());
  ASSERT_EQ(one.said<Election::Note>().size(), 1U);
  EXPECT_EQ(one.said<Election::Note>()[0].text, "1 of 3 voters are alive, 2 are needed: no quorum");
  one.step(Election::PeerUp{kB});
  ASSERT_EQ(one.said<Election::Note>().size(), 1U);
  EXPECT_EQ(one.said<Election::Note>()[0].text, "2 of 3 voters are alive, 2 are needed: quorum");
  one.step(Election::PeerDown{kB});
  EXPECT_TRUE(one.run_to(State::kPreCandidate)) << "re-election follows from the lease";
}

}  // namespace
}  // namespace hyperscale::election
