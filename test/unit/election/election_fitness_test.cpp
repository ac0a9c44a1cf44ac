// Leaders that are unfit, and leaderships that change too often.
#include "one_election.h"

#include <gtest/gtest.h>

namespace hyperscale::election {
namespace {

OneElection leader_a() {
  OneElection one(config_of(kA));
  one.settle({kB, kC});
  make_leader(one, kB);
  return one;
}

// proves part: LEAD-9 (the core; not that a node's loop tells it how late it is)
TEST(ElectionFitness, CriticalDegradationForcesALeaderDown) {
  OneElection one = leader_a();
  one.step(Election::DegradationChanged{Degradation::kHigh});
  EXPECT_EQ(one.core.state(), State::kLeader);
  one.step(Election::DegradationChanged{Degradation::kCritical});
  EXPECT_EQ(one.core.state(), State::kFollower);
  EXPECT_EQ(one.said<Election::LostLeadership>().at(0).reason, LossReason::kDegraded);
}

// proves part: LEAD-9 (the core; not that a node's loop tells it how late it is)
TEST(ElectionFitness, SeverelyDegradedLeaderYieldsToLivePeer) {
  OneElection with_successor = leader_a();
  with_successor.step(Election::DegradationChanged{Degradation::kSevere});
  EXPECT_EQ(with_successor.core.state(), State::kFollower);

  OneElection alone(config_of(kA, 1));
  alone.settle({});
  ASSERT_TRUE(alone.run_to(State::kLeader));
  alone.step(Election::DegradationChanged{Degradation::kSevere});
  EXPECT_EQ(alone.core.state(), State::kLeader) << "nobody would be better";
}

// proves part: LEAD-9 (the core; not that a node's loop tells it how late it is)
TEST(ElectionFitness, SevereWaitsForASuccessorThatIsAlive) {
  OneElection one = leader_a();
  one.step(Election::PeerDown{kB});
  one.step(Election::DegradationChanged{Degradation::kSevere});
  EXPECT_EQ(one.core.state(), State::kLeader);
  one.hear(kC, wire::LeaderHeartbeatAck{.term = one.core.term(), .sequence = 1});
  EXPECT_EQ(one.core.state(), State::kFollower);
}

// proves part: LEAD-1 (not that a suspected node is not eligible)
TEST(ElectionFitness, TheOverloadedDoNotStand) {
  OneElection one(config_of(kA));
  one.settle({kB, kC});
  one.step(Election::DegradationChanged{Degradation::kSevere});
  EXPECT_FALSE(one.run_to(State::kPreCandidate));
  one.step(Election::DegradationChanged{Degradation::kHigh});
  EXPECT_TRUE(one.run_to(State::kPreCandidate));
  one.step(Election::HealthChanged{8});
  EXPECT_EQ(one.core.state(), State::kFollower) << "and withdraw";
}

// Leaders b and c in turn, one per second.
void change_leaders(OneElection& one, int changes) {
  for (int i = 1; i <= changes; ++i) {
    one.hear(i % 2 == 0 ? kB : kC, wire::LeaderAnnounce{.term = wire::Term(one.core.term().value() + 1)});
    EXPECT_EQ(one.said<Election::LeaderChanged>().size(), 1U);
    one.now += 1s;
  }
}

// proves: LEAD-10
TEST(ElectionFitness, TooManyChangesOfLeaderStopElections) {
  ElectionConfig config = config_of(kA);
  OneElection one(config);
  one.settle({kB, kC});
  change_leaders(one, 4);
  EXPECT_FALSE(one.core.cooling_down(one.now));
  change_leaders(one, 1);
  EXPECT_TRUE(one.core.cooling_down(one.now));
  const MonoTime over = one.now - 1s + config.timing.flapping_cooldown;
  one.run_until(over - 1ns);
  EXPECT_EQ(one.core.stats().pre_votes_started, 0U);
  EXPECT_EQ(one.core.state(), State::kFollower);
  one.hear(kB, wire::PreVoteRequest{.term = one.core.term(), .rank = {}});
  EXPECT_TRUE(one.answer<wire::PreVoteResponse>()->granted) << "it still votes, and does not contest";
  one.run_until(over + 1s);
  EXPECT_EQ(one.core.stats().pre_votes_started, 1U);
}

// proves: LEAD-10
TEST(ElectionFitness, ChangesThatAreFarApartDoNotCount) {
  EXPECT_EQ(Timing::scaled_to(1s).flapping_window, 60s);
  for (const auto& [pause, cools] : {std::pair(55s, true), std::pair(57s, false)}) {
    OneElection one(config_of(kA));
    one.settle({kB, kC});
    change_leaders(one, 4);
    one.now += pause;  // the first is 59 s ago, or 61
    change_leaders(one, 1);
    EXPECT_EQ(one.core.cooling_down(one.now), cools) << pause / 1s;
  }
}

// proves: LEAD-10
TEST(ElectionFitness, TheWindowOfChangesSlides) {
  OneElection one(config_of(kA));
  one.settle({kB, kC});
  change_leaders(one, 1);
  one.now += 49s;
  change_leaders(one, 3);
  one.now += 8s;
  change_leaders(one, 1);
  EXPECT_FALSE(one.core.cooling_down(one.now)) << "the first of five is out of the window";
  change_leaders(one, 1);
  EXPECT_TRUE(one.core.cooling_down(one.now)) << "the other four still count";
}

// proves: LEAD-10
TEST(ElectionFitness, AMinuteOfFlappingEndsInACooldownNotInSilence) {
  OneElection one(config_of(kA));
  one.settle({kB, kC});
  change_leaders(one, 5);
  one.run_for(Timing().flapping_cooldown);
  EXPECT_FALSE(one.core.cooling_down(one.now));
  change_leaders(one, 4);
  EXPECT_FALSE(one.core.cooling_down(one.now)) << "counting starts afresh";
  change_leaders(one, 1);
  EXPECT_TRUE(one.core.cooling_down(one.now)) << "and ends in another one";
}

}  // namespace
}  // namespace hyperscale::election
