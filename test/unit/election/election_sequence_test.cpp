// Worked sequences of whole groups in calm: crash of a leader, preference, handing over, a minority.
#include "calm_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::election {
namespace {

using testing::ElementsAre;

const std::vector<wire::NodeIdentity> kFive = {kA, kB, kC, kD, kE};

CalmGroup group_of(std::size_t size, std::uint64_t seed, wire::Term term = {}) {
  CalmGroup group;
  for (std::size_t i = 0; i < size; ++i) {
    ElectionConfig config = config_of(kFive[i], size);
    config.seed = seed * 100 + i;
    group.add(config, {.term = term, .voted_for = ""});
  }
  group.start();
  return group;
}

// proves: LEAD-11, LEAD-7, LEAD-8, MSG-UDP-7, MSG-UDP-8, MSG-UDP-9, MSG-UDP-10
// proves part: LEAD-5 (not that every higher term gets a vote: not from a voter that is bound to a leader)
TEST(ElectionSequence, TheLeaderOfTermFiveCrashes) {
  CalmGroup group = group_of(3, 1, wire::Term(4));
  group.run_for(10s);
  ASSERT_EQ(group.leaders(), "a");
  ASSERT_EQ(group[0].core.term(), wire::Term(5));
  group[2].step(Election::HealthChanged{2});
  group.dead = {"a"};
  group.transcript.clear();
  for (auto* one : {&group[1], &group[2]}) one->all.clear();
  group.run_for(6s);
  std::erase_if(group.transcript, [](const std::string& line) { return line.find("to a:") != std::string::npos; });
  ASSERT_GE(group.transcript.size(), 5U);
  group.transcript.resize(5);
  EXPECT_THAT(group.transcript,
              ElementsAre("b to c: pre-vote-request term 5 health 0 priority 0",
                          "c to b: pre-vote-response term 5 granted", "b to c: vote-request term 6 health 0 priority 0",
                          "c to b: vote-response term 6 granted", "b to c: leader-announce term 6"));
  EXPECT_EQ(group.leaders(), "b");
  EXPECT_EQ(group[2].core.leader(), kB);
  std::vector<std::string> told;
  for (const Election::Action& action : group[2].all) {
    if (std::holds_alternative<Election::LeaderChanged>(action)) told.push_back(to_string(action));
  }
  EXPECT_THAT(told, ElementsAre("leader of term 5: none", "leader of term 6: b"));
}

// proves part: LEAD-2 (the core, and a node's priority; not that a node's own health reaches its election)
TEST(ElectionSequence, TheHealthiestWins) {
  for (const std::size_t size : {std::size_t{3}, std::size_t{5}}) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      CalmGroup group;
      const std::size_t best = seed % size;
      for (std::size_t i = 0; i < size; ++i) {
        ElectionConfig config = config_of(kFive[i], size);
        config.seed = seed * 100 + i;
        config.priority = i == best ? 0 : 7;
        group.add(config);
        group[i].step(Election::HealthChanged{static_cast<std::uint8_t>(i == best ? 1 : 2 + i % 3)});
      }
      group.start();
      group.run_for(10s);
      EXPECT_EQ(group.leaders(), kFive[best].name) << "seed " << seed << ", " << size << " nodes";
    }
  }
}

// proves part: LEAD-2 (the core, and a node's priority; not that a node's own health reaches its election)
TEST(ElectionSequence, AmongEquallyHealthyOnesThePriorityDecides) {
  for (const std::size_t size : {std::size_t{3}, std::size_t{5}}) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      CalmGroup group;
      for (std::size_t i = 0; i < size; ++i) {
        ElectionConfig config = config_of(kFive[i], size);
        config.seed = seed * 100 + i;
        config.priority = i == seed % size ? 1 : 0;
        group.add(config);
      }
      group.start();
      group.run_for(10s);
      EXPECT_EQ(group.leaders(), kFive[seed % size].name) << "seed " << seed << ", " << size << " nodes";
    }
  }
}

TEST(ElectionSequence, AHealthyLeaderIsNotReplacedByABetterOne) {
  CalmGroup group = group_of(3, 1);
  group.run_for(10s);
  ASSERT_EQ(group.leaders(), "a");
  group[0].step(Election::HealthChanged{4});
  group.run_for(60s);
  EXPECT_EQ(group.leaders(), "a");
  EXPECT_EQ(group[0].core.term(), wire::Term(1));
}

TEST(ElectionSequence, ALeaderThatLeavesIsReplacedAtOnce) {
  CalmGroup group = group_of(3, 1);
  group.run_for(10s);
  ASSERT_EQ(group.leaders(), "a");
  group.step(0, Election::Leave{});
  EXPECT_EQ(group.leaders(), "none");
  group.run_for(500ms);
  const std::string successor = group.leaders();
  ASSERT_TRUE(successor == "b" || successor == "c") << successor;
  EXPECT_EQ(group[0].core.leader()->name, successor);
  group.dead = {successor};
  group.run_for(20s);
  EXPECT_EQ(group.leaders(), successor == "b" ? "c" : "b") << "the leaving node still votes, and does not stand";
}

// proves: AD3-3
TEST(ElectionSequence, OneOfThreeHasNoQuorum) {
  CalmGroup group = group_of(3, 1);
  group.run_for(10s);
  ASSERT_EQ(group.leaders(), "a");
  group.dead = {"b", "c"};
  group[0].step(Election::PeerDown{kB});
  group[0].step(Election::PeerDown{kC});
  group.run_for(60s);
  EXPECT_EQ(group.leaders(), "none");
  EXPECT_EQ(group[0].core.term(), wire::Term(1));
  EXPECT_FALSE(group[0].core.has_quorum_available());
}

// proves: AD3-3
TEST(ElectionSequence, OneOfThreeThatNeverSawTheOthersHasNoQuorum) {
  OneElection one(config_of(kA, 3));
  one.step(Election::Start{});
  one.run_until(one.now + 60s);
  EXPECT_FALSE(one.core.leads(one.now));
  EXPECT_FALSE(one.core.has_quorum_available());
  EXPECT_EQ(one.core.term(), wire::Term(0));
}

TEST(ElectionSequence, OneAloneLeadsAGroupOfOne) {
  CalmGroup group = group_of(1, 1);
  group.run_for(6s);
  EXPECT_EQ(group.leaders(), "a");
  group.run_for(1h);
  EXPECT_EQ(group.leaders(), "a");
  EXPECT_EQ(group[0].core.term(), wire::Term(1));
}

// proves: AD13-1
TEST(ElectionSequence, GatesOfAllDatacentersAreOneGroup) {
  CalmGroup group;
  for (std::size_t i = 0; i < 3; ++i) {
    wire::NodeIdentity gate = kFive[i];
    gate.role = wire::NodeRole::kGate;
    gate.datacenter = i == 0 ? "east" : "west";
    gate.tcp_port = 7300;
    group.add(config_of(gate));
  }
  group.start();
  group.run_for(10s);
  EXPECT_EQ(group.leaders(), "a");
  EXPECT_EQ(group[2].core.leader()->tcp_port, 7300);
  EXPECT_EQ(group[2].core.voters().active_peers(), 2U);
  group.dead = {"a"};
  group[1].step(Election::PeerDown{*group[1].core.leader()});
  group[2].step(Election::PeerDown{*group[2].core.leader()});
  EXPECT_EQ(group[2].core.voters().active_peers(), 1U);
  group.run_for(10s);
  EXPECT_EQ(group.leaders(), "b");
  EXPECT_EQ(group[2].core.term(), wire::Term(2));
  group.dead = {"a", "b"};
  group[2].step(Election::PeerDown{*group[2].core.leader()});
  group.run_for(60s);
  EXPECT_EQ(group.leaders(), "none");
  EXPECT_EQ(group[2].core.term(), wire::Term(2)) << "without pre-votes no term begins";
  EXPECT_GT(group[2].core.stats().pre_votes_started, 1U) << "though it tries";
}

}  // namespace
}  // namespace hyperscale::election
