// Who gets a vote or a pre-vote, and who does not.
#include "one_election.h"

#include <gtest/gtest.h>

namespace hyperscale::election {
namespace {

constexpr wire::Term kFive = wire::Term(5);
constexpr wire::Term kSix = wire::Term(6);

// c is the worst by name, so it never contests.
OneElection voter_c(DurableVote durable = {.term = kFive, .voted_for = ""}) {
  OneElection one(config_of(kC), std::move(durable));
  one.settle({kA, kB});
  return one;
}

bool votes(OneElection& one, const wire::NodeIdentity& candidate, wire::Term term, wire::CandidateRank rank = {}) {
  one.hear(candidate, wire::VoteRequest{.term = term, .rank = rank});
  return one.answer<wire::VoteResponse>().value().granted;
}
bool pre_votes(OneElection& one, const wire::NodeIdentity& candidate, wire::Term term, wire::CandidateRank rank = {}) {
  one.hear(candidate, wire::PreVoteRequest{.term = term, .rank = rank});
  return one.answer<wire::PreVoteResponse>().value().granted;
}

// proves part: LEAD-5 (not that every higher term gets a vote: not from a voter that is bound to a leader)
TEST(ElectionVoting, GrantsAHigherTermAndKeepsItFirst) {
  OneElection one = voter_c();
  EXPECT_TRUE(votes(one, kA, kSix));
  ASSERT_EQ(one.actions.size(), 2U);
  ASSERT_TRUE(std::holds_alternative<Election::Persist>(one.actions[0]));
  EXPECT_EQ(std::get<Election::Persist>(one.actions[0]).vote, (DurableVote{kSix, "a"}));
  EXPECT_TRUE(std::holds_alternative<Election::Send>(one.actions[1]));
}

// proves part: LEAD-5 (not that every higher term gets a vote: not from a voter that is bound to a leader)
TEST(ElectionVoting, OneVotePerTerm) {
  OneElection one = voter_c();
  EXPECT_TRUE(votes(one, kA, kSix));
  EXPECT_FALSE(votes(one, kB, kSix));
  EXPECT_TRUE(votes(one, kA, kSix)) << "the answer may have been lost";
  EXPECT_TRUE(one.said<Election::Persist>().empty());
  EXPECT_TRUE(votes(one, kB, wire::Term(7)));
}

TEST(ElectionVoting, ARestartDoesNotFreeTheVote) {
  OneElection one = voter_c({.term = kSix, .voted_for = "a"});
  EXPECT_FALSE(votes(one, kB, kSix));
  EXPECT_TRUE(votes(one, kA, kSix));
}

// proves: AD5-3
TEST(ElectionVoting, ARestartedNodeWaitsOnePromise) {
  OneElection one(config_of(kC), {.term = kFive, .voted_for = ""});
  one.step(Election::PeerUp{kA});
  one.step(Election::PeerUp{kB});
  one.step(Election::Start{});
  one.now += promise_of() - 1ns;
  EXPECT_FALSE(pre_votes(one, kA, kFive));
  EXPECT_FALSE(votes(one, kA, kSix));
  EXPECT_EQ(one.core.term(), kFive);
  one.now += 1ns;
  EXPECT_TRUE(pre_votes(one, kA, kFive));
  EXPECT_TRUE(votes(one, kA, kSix));
}

// proves part: LEAD-5 (not that every higher term gets a vote: not from a voter that is bound to a leader)
TEST(ElectionVoting, ALowerTermLearnsTheHigherOne) {
  OneElection one = voter_c();
  EXPECT_FALSE(votes(one, kA, wire::Term(4)));
  EXPECT_EQ(one.answer<wire::VoteResponse>()->term, kFive);
  EXPECT_FALSE(pre_votes(one, kA, wire::Term(4)));
  EXPECT_EQ(one.answer<wire::PreVoteResponse>()->term, kFive);
}

TEST(ElectionVoting, WhoHearsALeaderVotesForNobody) {
  OneElection one = voter_c();
  one.hear(kA, wire::LeaderHeartbeat{.term = kFive, .sequence = 1, .rank = {}});
  one.now += promise_of() - 1ns;
  EXPECT_FALSE(votes(one, kB, kSix));
  EXPECT_EQ(one.core.term(), kFive) << "nor does it leave the term of its leader";
  EXPECT_EQ(one.core.leader(), kA);
  one.now += 1ns;
  EXPECT_TRUE(votes(one, kB, kSix));
}

// proves: AD5-3
// proves part: LEAD-4 (how a voter judges; not that a leader's heartbeats tell its own health)
TEST(ElectionVoting, NoPreVoteAgainstAHealthyLeader) {
  OneElection one = voter_c();
  EXPECT_TRUE(pre_votes(one, kB, kFive));
  one.hear(kA, wire::LeaderHeartbeat{.term = kFive, .sequence = 1, .rank = {.health_score = 4, .priority = 0}});
  EXPECT_FALSE(pre_votes(one, kB, kFive)) << "better, but the leader is well enough";
  one.now += promise_of();
  EXPECT_TRUE(pre_votes(one, kB, kFive));
}

// proves: AD5-3
// proves part: LEAD-4 (how a voter judges; not that a leader's heartbeats tell its own health)
TEST(ElectionVoting, ALeaderGrantsNoPreVoteEither) {
  OneElection one(config_of(kA), {.term = kFive, .voted_for = ""});
  one.settle({kB, kC});
  make_leader(one, kB);
  ASSERT_TRUE(one.core.leads(one.now));
  EXPECT_FALSE(pre_votes(one, kC, one.core.term()));
}

// proves: AD3-2
TEST(ElectionVoting, AvailabilityDoesNotEndALease) {
  OneElection one(config_of(kA), {.term = kFive, .voted_for = ""});
  one.settle({kB, kC});
  make_leader(one, kB);
  one.step(Election::PeerDown{kB});
  one.step(Election::PeerDown{kC});
  EXPECT_FALSE(one.core.has_quorum_available());
  EXPECT_TRUE(one.core.leads(one.now)) << "the count is for monitoring only";
  one.run_for(Timing().heartbeat_interval);
  EXPECT_EQ(one.sent<wire::LeaderHeartbeat>().size(), 2U) << "it goes on beating";
  one.hear(kB, wire::LeaderHeartbeatAck{.term = one.core.term(), .sequence = 2});
  one.run_for(Timing().lease - 1ns);
  EXPECT_TRUE(one.core.leads(one.now)) << "and who answers renews its lease";
}

// proves: AD3-2
TEST(ElectionVoting, AvailabilityDoesNotDecideAVote) {
  OneElection one(config_of(kC, 5), {.term = kFive, .voted_for = ""});
  one.settle({kA});
  ASSERT_FALSE(one.core.has_quorum_available());
  EXPECT_TRUE(pre_votes(one, kA, kFive));
  EXPECT_TRUE(votes(one, kA, kSix));
}

// proves: AD3-2
TEST(ElectionVoting, AvailabilityDoesNotDecideAWin) {
  OneElection one(config_of(kA), {.term = kFive, .voted_for = ""});
  one.settle({kB, kC});
  one.step(Election::PeerDown{kB});
  one.step(Election::PeerDown{kC});
  ASSERT_FALSE(one.core.has_quorum_available());
  make_leader(one, kB);
  EXPECT_TRUE(one.core.leads(one.now)) << "votes are counted, not the living";
}

// proves: AD5-3
// proves part: LEAD-4 (how a voter judges; not that a leader's heartbeats tell its own health)
TEST(ElectionVoting, APreVoteAgainstAnUnhealthyLeaderForABetterOne) {
  OneElection one = voter_c();
  one.hear(kA, wire::LeaderHeartbeat{.term = kFive, .sequence = 1, .rank = {.health_score = 5, .priority = 0}});
  EXPECT_TRUE(pre_votes(one, kB, kFive, {.health_score = 3, .priority = 0}));
  EXPECT_FALSE(pre_votes(one, kB, kFive, {.health_score = 6, .priority = 0}));
  EXPECT_FALSE(votes(one, kB, kSix)) << "the lease still stands";
  one.hear(kA, wire::LeaderAnnounce{.term = kSix});
  EXPECT_FALSE(pre_votes(one, kB, kSix)) << "of its new leader it has heard nothing bad";
}

// proves: LEAD-3
// proves part: AD5-1 (term, disk and what is said; not what else a node holds in memory, as its vote)
TEST(ElectionVoting, APreVoteLeavesNoTrace) {
  OneElection one = voter_c();
  EXPECT_TRUE(pre_votes(one, kA, wire::Term(8)));
  EXPECT_TRUE(pre_votes(one, kB, wire::Term(8))) << "and is not exclusive";
  EXPECT_EQ(one.core.term(), kFive);
  for (const Election::Action& action : one.all) EXPECT_TRUE(std::holds_alternative<Election::Send>(action));
}

// proves: LEAD-11
// proves part: LEAD-1 (not that a suspected node is not eligible)
TEST(ElectionVoting, OnlyTheHealthyAndTheLivingAreEligible) {
  OneElection one = voter_c();
  one.step(Election::HealthChanged{4});
  EXPECT_TRUE(pre_votes(one, kA, kFive, {.health_score = 4, .priority = 0}));
  EXPECT_FALSE(pre_votes(one, kA, kFive, {.health_score = 5, .priority = 9}));
  EXPECT_FALSE(votes(one, kA, kSix, {.health_score = 5, .priority = 9}));
  one.step(Election::PeerDown{kA});
  EXPECT_FALSE(pre_votes(one, kA, kSix));
  EXPECT_FALSE(votes(one, kA, kSix));
  one.step(Election::PeerUp{kA});
  EXPECT_TRUE(votes(one, kA, kSix));
}

TEST(ElectionVoting, StrangersAreNotHeard) {
  OneElection one = voter_c();
  wire::NodeIdentity worker = kA;
  worker.role = wire::NodeRole::kWorker;
  wire::NodeIdentity gate = kA;
  gate.role = wire::NodeRole::kGate;
  wire::NodeIdentity impostor = kC;
  impostor.address.port = 9;
  for (const wire::NodeIdentity& from : {manager("a", 1, "west"), worker, gate, impostor}) {
    one.hear(from, wire::VoteRequest{.term = kSix, .rank = {}});
    EXPECT_TRUE(one.said<Election::Send>().empty());
    EXPECT_TRUE(one.hear(from, wire::LeaderHeartbeat{.term = kSix, .sequence = 1, .rank = {}}).empty());
  }
  EXPECT_EQ(one.core.term(), kFive);
  EXPECT_EQ(one.core.leader(), std::nullopt);
  EXPECT_EQ(one.core.stats().refused_strangers, 8U);
}

TEST(ElectionVoting, ASurplusVoterNeitherGetsNorGives) {
  OneElection one(config_of(kA), {.term = kFive, .voted_for = ""});
  one.settle({kB, kC});
  one.hear(kD, wire::VoteRequest{.term = kSix, .rank = {}});
  EXPECT_TRUE(one.said<Election::Send>().empty());
  EXPECT_EQ(one.said<Election::Note>().size(), 1U);
  EXPECT_TRUE(one.said<Election::Note>()[0].warning);
  ASSERT_TRUE(one.run_to(State::kPreCandidate));
  one.hear(kD, wire::PreVoteResponse{.term = kFive, .granted = true});
  EXPECT_EQ(one.core.state(), State::kPreCandidate);
  EXPECT_TRUE(one.said<Election::Note>().empty()) << "told once";
  EXPECT_EQ(one.core.stats().refused_surplus, 2U);
}

// proves: LEAD-3
TEST(ElectionVoting, AVoterCountsOnce) {
  OneElection one(config_of(kA, 5), {.term = kFive, .voted_for = ""});
  one.settle({kB, kC, kD, kE});
  ASSERT_TRUE(one.run_to(State::kPreCandidate));
  wire::NodeIdentity moved = kB;
  moved.address.port = 7200;
  for (const auto& from : {kB, kB, moved}) one.hear(from, wire::PreVoteResponse{.term = kFive, .granted = true});
  EXPECT_EQ(one.core.state(), State::kPreCandidate);
  one.hear(kC, wire::PreVoteResponse{.term = kFive, .granted = true});
  for (const auto& from : {kB, kB, moved}) one.hear(from, wire::VoteResponse{.term = kSix, .granted = true});
  EXPECT_EQ(one.core.state(), State::kCandidate);
  one.hear(kD, wire::VoteResponse{.term = kSix, .granted = true});
  EXPECT_EQ(one.core.state(), State::kLeader);
}

// proves: LEAD-3
TEST(ElectionVoting, AnswersOfOtherTermsDoNotCount) {
  OneElection one(config_of(kA), {.term = kFive, .voted_for = ""});
  one.settle({kB, kC});
  ASSERT_TRUE(one.run_to(State::kPreCandidate));
  one.hear(kB, wire::PreVoteResponse{.term = wire::Term(4), .granted = true});
  EXPECT_EQ(one.core.state(), State::kPreCandidate);
  one.hear(kB, wire::PreVoteResponse{.term = kFive, .granted = true});
  one.hear(kB, wire::VoteResponse{.term = kFive, .granted = true});
  one.hear(kB, wire::PreVoteResponse{.term = kSix, .granted = true});
  EXPECT_EQ(one.core.state(), State::kCandidate);
}

TEST(ElectionVoting, ImplausibleTermsAreNotBelieved) {
  OneElection one = voter_c();
  const wire::Term latest(1'000);
  one.core.believe_up_to(latest);
  for (const wire::Term term : {wire::Term(1'001), wire::Term(std::uint64_t{1} << 40), wire::Term(UINT64_MAX)}) {
    one.hear(kA, wire::VoteRequest{.term = term, .rank = {}});
    one.hear(kA, wire::LeaderHeartbeat{.term = term, .sequence = 1, .rank = {}});
    one.hear(kA, wire::LeaderAnnounce{.term = term});
  }
  EXPECT_EQ(one.core.term(), kFive);
  EXPECT_EQ(one.core.leader(), std::nullopt);
  EXPECT_EQ(one.core.stats().refused_terms, 9U);
  EXPECT_TRUE(votes(one, kA, latest));
}

// However hard a member of the group pushes, its terms last for a century.
TEST(TermBounds, TermsCannotBePushedToTheirEnd) {
  constexpr std::int64_t kYearMs = 31'557'600'000;
  const auto years = [](std::int64_t count) {
    return WallTime::from_ns((kSnowflakeEpochUnixMs + count * kYearMs) * 1'000'000);
  };
  EXPECT_EQ(latest_plausible_term(years(0), 1s), wire::Term(kTermSlack));
  EXPECT_EQ(latest_plausible_term(years(1), 1s), wire::Term(kYearMs / 1'000 + kTermSlack));
  EXPECT_EQ(latest_plausible_term(years(1) + 1s, 1s).value(), latest_plausible_term(years(1), 1s).value() + 1);
  EXPECT_LT(latest_plausible_term(years(100), 1s), kTermMax);
  EXPECT_EQ(latest_plausible_term(years(200), 1s), kTermMax) << "what a fencing token can hold";
  EXPECT_EQ(latest_plausible_term(WallTime(), 1s), wire::Term(kTermSlack)) << "a clock before the first message id";
}

TEST(ElectionVoting, TheLastTermIsNotLeft) {
  OneElection one(config_of(kA, 1), {.term = kTermMax, .voted_for = ""});
  one.settle({});
  EXPECT_FALSE(one.run_to(State::kLeader));
  EXPECT_EQ(one.core.term(), kTermMax);
}

// proves part: LEAD-2 (the core, and a node's priority; not that a node's own health reaches its election)
TEST(ElectionVoting, AWorseCandidateIsContestedOnce) {
  OneElection one(config_of(kB), {.term = kFive, .voted_for = ""});
  one.settle({kA, kC});
  EXPECT_FALSE(pre_votes(one, kC, kFive));
  EXPECT_EQ(one.core.state(), State::kPreCandidate);
  EXPECT_EQ(one.sent<wire::PreVoteRequest>().size(), 2U);
  one.run_for(Timing().pre_vote_timeout);
  ASSERT_EQ(one.core.state(), State::kFollower);
  EXPECT_TRUE(pre_votes(one, kC, kFive)) << "its own attempt failed, others may try";
}

// proves part: LEAD-2 (the core, and a node's priority; not that a node's own health reaches its election)
TEST(ElectionVoting, APreCandidateGivesWayToABetterOne) {
  OneElection one = voter_c();
  ASSERT_TRUE(one.run_to(State::kPreCandidate));
  EXPECT_FALSE(pre_votes(one, kB, kFive, {.health_score = 1, .priority = 0}));
  EXPECT_EQ(one.core.state(), State::kPreCandidate);
  EXPECT_TRUE(pre_votes(one, kB, kFive));
  EXPECT_EQ(one.core.state(), State::kFollower);
}

}  // namespace
}  // namespace hyperscale::election
