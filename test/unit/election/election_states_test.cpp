// The state table, row by row.
#include "one_election.h"

#include <gtest/gtest.h>

namespace hyperscale::election {
namespace {

OneElection follower_a(std::size_t group_size = 3) {
  OneElection one(config_of(kA, group_size), {.term = wire::Term(5), .voted_for = ""});
  one.settle(group_size == 5 ? std::vector{kB, kC, kD, kE} : std::vector{kB, kC});
  return one;
}

void campaign(OneElection& one) {
  ASSERT_TRUE(one.run_to(State::kPreCandidate));
  one.hear(kB, wire::PreVoteResponse{.term = wire::Term(5), .granted = true});
  ASSERT_EQ(one.core.state(), State::kCandidate);
}

// proves part: LEAD-12 (not that a follower forwards requests and a leader serves them)
TEST(ElectionStates, InitialUntilItJoins) {
  OneElection one(config_of(kA));
  EXPECT_EQ(one.core.state(), State::kInitial);
  EXPECT_EQ(one.core.next_wake(), MonoTime::max());
  EXPECT_TRUE(one.hear(kB, wire::VoteRequest{.term = wire::Term(1), .rank = {}}).empty());
  one.step(Election::Start{});
  EXPECT_EQ(one.core.state(), State::kFollower);
}

// proves: LEAD-8
// proves part: LEAD-12 (not that a follower forwards requests and a leader serves them)
TEST(ElectionStates, FollowerStandsWhenTheLeadersLeaseIsOver) {
  OneElection one = follower_a();
  one.hear(kB, wire::LeaderHeartbeat{.term = wire::Term(5), .sequence = 1, .rank = {}});
  EXPECT_EQ(one.core.leader(), kB);
  one.run_for(promise_of() - 1ns);
  EXPECT_EQ(one.core.state(), State::kFollower);
  EXPECT_EQ(one.core.leader(), kB);
  one.run_for(1ns);
  EXPECT_EQ(one.core.leader(), std::nullopt);
  EXPECT_TRUE(one.run_to(State::kPreCandidate));
}

// proves: LEAD-11
// proves part: LEAD-1 (not that a suspected node is not eligible)
// proves part: LEAD-12 (not that a follower forwards requests and a leader serves them)
TEST(ElectionStates, FollowerThatIsNotEligibleDoesNotStand) {
  OneElection one = follower_a();
  one.step(Election::HealthChanged{5});
  EXPECT_FALSE(one.run_to(State::kPreCandidate));
  one.step(Election::HealthChanged{4});
  EXPECT_TRUE(one.run_to(State::kPreCandidate));
}

// proves: LEAD-3
// proves part: AD5-1 (term, disk and what is said; not what else a node holds in memory, as its vote)
// proves part: LEAD-12 (not that a follower forwards requests and a leader serves them)
TEST(ElectionStates, PreCandidateAsksEverybodyAndChangesNothing) {
  OneElection one = follower_a();
  ASSERT_TRUE(one.run_to(State::kPreCandidate));
  const auto asked = one.sent<wire::PreVoteRequest>();
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_EQ(asked[0].first, "b");
  EXPECT_EQ(asked[1].first, "c");
  EXPECT_EQ(asked[0].second.term, wire::Term(5));
  EXPECT_EQ(one.core.term(), wire::Term(5));
  EXPECT_TRUE(one.said<Election::Persist>().empty());
}

// proves: AD5-2, LEAD-3
// proves part: LEAD-12 (not that a follower forwards requests and a leader serves them)
TEST(ElectionStates, PreCandidateWithAMajorityBecomesCandidate) {
  OneElection one = follower_a(5);
  ASSERT_TRUE(one.run_to(State::kPreCandidate));
  one.hear(kB, wire::PreVoteResponse{.term = wire::Term(5), .granted = true});
  EXPECT_EQ(one.core.state(), State::kPreCandidate);
  EXPECT_EQ(one.core.term(), wire::Term(5));
  one.hear(kC, wire::PreVoteResponse{.term = wire::Term(5), .granted = true});
  EXPECT_EQ(one.core.state(), State::kCandidate);
  EXPECT_EQ(one.core.term(), wire::Term(6));
}

// proves: AD5-2, LEAD-3
// proves part: LEAD-12 (not that a follower forwards requests and a leader serves them)
TEST(ElectionStates, PreCandidateThatIsDeniedFollows) {
  OneElection one = follower_a();
  ASSERT_TRUE(one.run_to(State::kPreCandidate));
  one.hear(kB, wire::PreVoteResponse{.term = wire::Term(5), .granted = false});
  EXPECT_EQ(one.core.state(), State::kPreCandidate);
  one.hear(kC, wire::PreVoteResponse{.term = wire::Term(5), .granted = false});
  EXPECT_EQ(one.core.state(), State::kFollower);
  EXPECT_EQ(one.core.term(), wire::Term(5));
}

// proves: AD5-2, LEAD-3
// proves part: LEAD-12 (not that a follower forwards requests and a leader serves them)
TEST(ElectionStates, PreCandidateGivesUpInTime) {
  OneElection one = follower_a();
  ASSERT_TRUE(one.run_to(State::kPreCandidate));
  one.run_for(Timing().pre_vote_timeout - 1ns);
  EXPECT_EQ(one.core.state(), State::kPreCandidate);
  one.run_for(1ns);
  EXPECT_EQ(one.core.state(), State::kFollower);
  EXPECT_EQ(one.core.term(), wire::Term(5));
}

// proves part: LEAD-12 (not that a follower forwards requests and a leader serves them)
TEST(ElectionStates, PreCandidateThatHearsOfAHigherTermFollows) {
  OneElection one = follower_a();
  ASSERT_TRUE(one.run_to(State::kPreCandidate));
  one.hear(kB, wire::PreVoteResponse{.term = wire::Term(9), .granted = false});
  EXPECT_EQ(one.core.state(), State::kFollower);
  EXPECT_EQ(one.core.term(), wire::Term(9));
  EXPECT_EQ(one.said<Election::Persist>().at(0).vote, (DurableVote{wire::Term(9), ""}));
}

// proves part: LEAD-5 (not that every higher term gets a vote: not from a voter that is bound to a leader)
// proves part: LEAD-12 (not that a follower forwards requests and a leader serves them)
TEST(ElectionStates, CandidatePersistsOwnVoteBeforeAsking) {
  OneElection one = follower_a();
  campaign(one);
  ASSERT_EQ(one.actions.size(), 3U);
  const auto* persist = std::get_if<Election::Persist>(&one.actions[0]);
  ASSERT_NE(persist, nullptr);
  EXPECT_EQ(persist->vote, (DurableVote{wire::Term(6), "a"}));
  const auto asked = one.sent<wire::VoteRequest>();
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_EQ(asked[0].second.term, wire::Term(6));
}

// proves: LEAD-7
// proves part: LEAD-6 (rising tokens of the term; not that who leads again asks with its newer one)
// proves part: AD10-1 (a token of each leadership's term; not that who leads again asks with its newer one)
// proves part: LEAD-12 (not that a follower forwards requests and a leader serves them)
TEST(ElectionStates, CandidateWithAMajorityLeadsAndSaysSo) {
  OneElection one = follower_a();
  campaign(one);
  one.hear(kC, wire::VoteResponse{.term = wire::Term(6), .granted = true});
  EXPECT_EQ(one.core.state(), State::kLeader);
  const auto won = one.said<Election::BecameLeader>();
  ASSERT_EQ(won.size(), 1U);
  EXPECT_EQ(won[0].term, wire::Term(6));
  EXPECT_EQ(term_of(won[0].fence), wire::Term(6));
  EXPECT_EQ(one.sent<wire::LeaderAnnounce>().size(), 2U);
  EXPECT_EQ(one.sent<wire::LeaderHeartbeat>().size(), 2U);
  EXPECT_EQ(one.said<Election::LeaderChanged>().at(0).leader, kA);
}

// No lease ends here in between: the old leader is replaced while this follower still follows it.
// proves: LEAD-7
TEST(ElectionStates, AFollowerReportsTheNextLeaderAtOnce) {
  OneElection one = follower_a(5);
  one.hear(kB, wire::LeaderAnnounce{.term = wire::Term(6)});
  ASSERT_EQ(one.said<Election::LeaderChanged>().size(), 1U);
  EXPECT_EQ(one.said<Election::LeaderChanged>()[0].leader, kB);
  one.hear(kC, wire::LeaderAnnounce{.term = wire::Term(7)});
  const auto changed = one.said<Election::LeaderChanged>();
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(changed[0].leader, kC);
  EXPECT_EQ(changed[0].term, wire::Term(7));
  EXPECT_TRUE(one.said<Election::BecameLeader>().empty());
}

// proves part: LEAD-12 (not that a follower forwards requests and a leader serves them)
TEST(ElectionStates, CandidateThatIsDeniedFollows) {
  OneElection one = follower_a();
  campaign(one);
  one.hear(kB, wire::VoteResponse{.term = wire::Term(6), .granted = false});
  one.hear(kC, wire::VoteResponse{.term = wire::Term(6), .granted = false});
  EXPECT_EQ(one.core.state(), State::kFollower);
  EXPECT_EQ(one.core.term(), wire::Term(6));
}

// proves part: LEAD-12 (not that a follower forwards requests and a leader serves them)
TEST(ElectionStates, CandidateThatHearsOfAHigherTermFollows) {
  OneElection one = follower_a();
  campaign(one);
  one.hear(kB, wire::VoteResponse{.term = wire::Term(8), .granted = false});
  EXPECT_EQ(one.core.state(), State::kFollower);
  EXPECT_EQ(one.core.term(), wire::Term(8));
}

// proves part: LEAD-12 (not that a follower forwards requests and a leader serves them)
TEST(ElectionStates, CandidateFollowsTheWinnerOfItsTerm) {
  OneElection one = follower_a();
  campaign(one);
  one.hear(kC, wire::LeaderAnnounce{.term = wire::Term(6)});
  EXPECT_EQ(one.core.state(), State::kFollower);
  EXPECT_EQ(one.core.leader(), kC);
}

TEST(ElectionStates, CandidateAsksTheSilentAgainAndGivesUpInTime) {
  OneElection one = follower_a(5);
  ASSERT_TRUE(one.run_to(State::kPreCandidate));
  one.hear(kB, wire::PreVoteResponse{.term = wire::Term(5), .granted = true});
  one.hear(kC, wire::PreVoteResponse{.term = wire::Term(5), .granted = true});
  one.hear(kB, wire::VoteResponse{.term = wire::Term(6), .granted = true});
  one.run_for(Timing().resend_interval);
  EXPECT_EQ(one.sent<wire::VoteRequest>().size(), 3U);
  one.run_for(Timing().vote_timeout);
  EXPECT_EQ(one.core.state(), State::kFollower);
  EXPECT_EQ(one.core.term(), wire::Term(6));
}

// proves part: LEAD-9 (the core; not that a node's loop tells it how late it is)
// proves part: LEAD-12 (not that a follower forwards requests and a leader serves them)
TEST(ElectionStates, LeaderThatFallsIllFollows) {
  OneElection one = follower_a();
  make_leader(one, kB);
  ASSERT_TRUE(one.core.leads(one.now));
  one.step(Election::HealthChanged{4});
  EXPECT_EQ(one.core.state(), State::kLeader);
  one.step(Election::HealthChanged{5});
  EXPECT_EQ(one.core.state(), State::kFollower);
  EXPECT_FALSE(one.core.leads(one.now));
  EXPECT_EQ(one.said<Election::LostLeadership>().at(0).reason, LossReason::kUnhealthy);
}

// proves part: LEAD-9 (the core; not that a node's loop tells it how late it is)
// proves part: LEAD-5 (not that every higher term gets a vote: not from a voter that is bound to a leader)
// proves part: LEAD-12 (not that a follower forwards requests and a leader serves them)
TEST(ElectionStates, LeaderThatHearsOfAHigherTermFollows) {
  for (const wire::ClusterBody& body :
       {wire::ClusterBody(wire::LeaderHeartbeatAck{.term = wire::Term(7), .sequence = 1}),
        wire::ClusterBody(wire::VoteRequest{.term = wire::Term(7), .rank = {}}),
        wire::ClusterBody(wire::LeaderAnnounce{.term = wire::Term(7)}),
        wire::ClusterBody(wire::LeaderHeartbeat{.term = wire::Term(7), .sequence = 1, .rank = {}})}) {
    OneElection one = follower_a();
    make_leader(one, kB);
    one.step(Election::Received{kC, body});
    EXPECT_EQ(one.core.state(), State::kFollower);
    EXPECT_EQ(one.core.term(), wire::Term(7));
    const auto lost = one.said<Election::LostLeadership>();
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost[0].reason, LossReason::kHigherTerm);
    EXPECT_EQ(lost[0].term, wire::Term(6));
  }
}

// proves part: LEAD-9 (the core; not that a node's loop tells it how late it is)
// proves part: LEAD-12 (not that a follower forwards requests and a leader serves them)
TEST(ElectionStates, LeaderWithoutAMajorityFollows) {
  OneElection one = follower_a(5);
  ASSERT_TRUE(one.run_to(State::kPreCandidate));
  for (const auto& voter : {kB, kC}) one.hear(voter, wire::PreVoteResponse{.term = wire::Term(5), .granted = true});
  for (const auto& voter : {kB, kC}) one.hear(voter, wire::VoteResponse{.term = wire::Term(6), .granted = true});
  for (const auto& voter : {kB, kC}) one.hear(voter, wire::LeaderHeartbeatAck{.term = wire::Term(6), .sequence = 1});
  const MonoTime lease_end = one.now + Timing().lease;
  const std::size_t beats = one.sent<wire::LeaderHeartbeat>().size();
  one.run_for(Timing().heartbeat_interval);
  EXPECT_GT(one.sent<wire::LeaderHeartbeat>().size(), beats) << "it keeps beating";
  one.hear(kB, wire::LeaderHeartbeatAck{.term = wire::Term(6), .sequence = 2});  // two of five
  one.run_until(lease_end - 1ns);
  EXPECT_EQ(one.core.state(), State::kLeader);
  EXPECT_TRUE(one.core.leads(one.now));
  one.run_until(lease_end);
  EXPECT_EQ(one.core.state(), State::kFollower);
  EXPECT_EQ(one.said<Election::LostLeadership>().at(0).reason, LossReason::kQuorumLost);
}

}  // namespace
}  // namespace hyperscale::election
