#include "cluster/packet_gate.h"
#include "cluster/state_versions.h"
#include "election/election.h"
#include "small_cluster.h"
#include "wire/heartbeat.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::cluster {
namespace {

using wire::NodeRole;

class ClusterNodeTest : public testing::Test {
 protected:
  // Three managers that know the first one's address.
  void start_managers() {
    for (const auto& manager : managers) {
      ClusterConfig config = config_of(manager, 3);
      config.seeds = {managers[0].address};
      cluster.add(std::move(config));
    }
    cluster.run_for(30s);
  }
  std::vector<wire::NodeIdentity> leaders() {
    std::vector<wire::NodeIdentity> found;
    for (const auto& manager : managers)
      if (cluster.has(manager.address) && cluster.at(manager.address).leads(cluster.now)) found.push_back(manager);
    return found;
  }
  ClusterStats stats(const wire::NodeIdentity& node) { return cluster.at(node.address).view(cluster.now).stats; }

  const std::vector<wire::NodeIdentity> managers{identity(NodeRole::kManager, 1), identity(NodeRole::kManager, 2),
                                                 identity(NodeRole::kManager, 3)};
  SmallCluster cluster;
};

// proves: AD1-3, LEAD-7, MSG-UDP-7, MSG-UDP-8, MSG-UDP-9, MSG-UDP-10
// proves part: AD1-1 (owners are told by actions; not that nothing is overridden)
// proves part: OV-5 (gossip and election)
TEST_F(ClusterNodeTest, NodesMeetElectAndReportByActions) {
  start_managers();
  ASSERT_EQ(leaders().size(), 1U);
  const wire::NodeIdentity leader = leaders().front();
  for (const auto& manager : managers) {
    EXPECT_EQ(cluster.told<ClusterNode::MemberUp>(manager.address).size(), 2U);
    const auto changes = cluster.told<ClusterNode::LeaderChanged>(manager.address);
    ASSERT_FALSE(changes.empty());
    EXPECT_EQ(changes.back().leader, leader);
    EXPECT_EQ(cluster.told<ClusterNode::BecameLeader>(manager.address).size(), manager == leader ? 1U : 0U);
  }
}

// proves: AD6-2, AD1-3, AD31-1
TEST_F(ClusterNodeTest, ADeathReachesOwnerAndElection) {
  start_managers();
  const wire::NodeIdentity dead = leaders().front();
  cluster.remove(dead.address);
  cluster.run_for(120s);
  for (const auto& manager : managers) {
    if (manager == dead) continue;
    const auto downs = cluster.told<ClusterNode::MemberDown>(manager.address);
    ASSERT_EQ(downs.size(), 1U);
    EXPECT_EQ(downs[0].member, dead);
    EXPECT_TRUE(cluster.at(manager.address).view(cluster.now).quorum_available);
  }
  ASSERT_EQ(leaders().size(), 1U);
  EXPECT_NE(leaders().front(), dead);
}

// proves: AD3-1, AD3-2, AD6-3, AD6-2, AD3-3, AD1-3
TEST_F(ClusterNodeTest, OneOfThreeThatIsLeftHasNoQuorumAndSaysSo) {
  for (const auto& left : managers) {  // one of them leads
    cluster = SmallCluster();
    start_managers();
    ASSERT_EQ(leaders().size(), 1U);
    EXPECT_TRUE(cluster.at(left.address).view(cluster.now).quorum_available);
    const bool led = leaders().front() == left;
    cluster.actions.clear();
    for (const auto& other : managers)
      if (other != left) cluster.remove(other.address);
    cluster.run_for(180s);
    ASSERT_EQ(cluster.told<ClusterNode::MemberDown>(left.address).size(), 2U);
    EXPECT_FALSE(cluster.at(left.address).view(cluster.now).quorum_available);
    EXPECT_TRUE(leaders().empty()) << left.name;
    EXPECT_EQ(cluster.told<ClusterNode::LostLeadership>(left.address).size(), led ? 1U : 0U);
    std::vector<std::string> notes;
    for (const auto& note : cluster.told<ClusterNode::Note>(left.address)) notes.push_back(note.text);
    EXPECT_THAT(notes, testing::Contains("1 of 3 voters are alive, 2 are needed: no quorum"));
  }
}

// At first, and after a restart with another one.
// proves: AD6-1
TEST_F(ClusterNodeTest, EachPeerIsKnownByItsOwnTcpPort) {
  const auto add = [&](const wire::NodeIdentity& manager, std::uint16_t tcp_port, DurableState kept) {
    ClusterConfig config = config_of(manager, 3);
    config.self.tcp_port = tcp_port;
    config.seeds = {managers[0].address};
    cluster.add(std::move(config), std::move(kept));
  };
  using Ports = std::map<wire::NodeAddress, std::uint16_t>;
  const auto known_to = [&](const wire::NodeIdentity& manager) {
    Ports known;
    for (const MemberView& member : cluster.at(manager.address).view(cluster.now).members)
      known[member.identity.address] = member.identity.tcp_port;
    return known;
  };
  for (std::size_t i = 0; i < managers.size(); ++i) add(managers[i], static_cast<std::uint16_t>(7601 + i), {});
  cluster.run_for(30s);
  EXPECT_EQ(known_to(managers[0]), (Ports{{managers[1].address, 7602}, {managers[2].address, 7603}}));
  EXPECT_EQ(known_to(managers[1]), (Ports{{managers[0].address, 7601}, {managers[2].address, 7603}}));
  DurableState kept = cluster.told<ClusterNode::Persist>(managers[2].address).back().state;
  cluster.remove(managers[2].address);
  add(managers[2], 7700, std::move(kept));
  cluster.run_for(30s);
  EXPECT_EQ(known_to(managers[0]), (Ports{{managers[1].address, 7602}, {managers[2].address, 7700}}));
}

// proves: AD6-1, AD6-2, AD1-3, MSG-HB-3
TEST_F(ClusterNodeTest, DeathIsMatchedToWorkersAndManagers) {
  start_managers();
  const std::vector<wire::NodeIdentity> workers{identity(NodeRole::kWorker, 1), identity(NodeRole::kWorker, 2)};
  for (const auto& worker : workers) {
    ClusterConfig config = config_of(worker, 0);
    config.seeds = {managers[0].address};
    cluster.add(std::move(config));
  }
  const auto workers_told = [&] {  // by the first manager to the second
    cluster.run_for(60s);
    const auto states = cluster.told<ClusterNode::StateReceived>(managers[1].address);
    const auto of_first = [&](const auto& each) { return each.from == managers[0]; };
    const auto last = std::find_if(states.rbegin(), states.rend(), of_first);
    if (last == states.rend()) return std::uint32_t{99};
    return std::get<wire::ManagerHeartbeat>(*wire::decode_heartbeat(last->state.view())).worker_count;
  };
  EXPECT_EQ(workers_told(), 2U);
  for (const auto& node : {managers[0], workers[1]})
    EXPECT_EQ(cluster.told<ClusterNode::MemberUp>(node.address).size(), 4U)
        << node.name << " is told of all the others";
  for (const MemberView& member : cluster.at(managers[0].address).view(cluster.now).members)
    EXPECT_EQ(member.identity.tcp_port, 7600) << member.identity.name << " is known by both addresses";
  cluster.remove(workers[0].address);
  cluster.run_for(60s);
  EXPECT_EQ(workers_told(), 1U);
  EXPECT_TRUE(cluster.at(managers[0].address).view(cluster.now).quorum_available) << "a worker is no voter";
  cluster.remove(managers[2].address);
  cluster.run_for(120s);
  EXPECT_TRUE(cluster.at(managers[0].address).view(cluster.now).quorum_available) << "two of three";
  EXPECT_EQ(workers_told(), 1U) << "a manager is no worker";
  cluster.remove(managers[1].address);
  cluster.run_for(120s);
  EXPECT_FALSE(cluster.at(managers[0].address).view(cluster.now).quorum_available);
  for (const auto& node : {managers[0], workers[1]}) {
    const auto downs = cluster.told<ClusterNode::MemberDown>(node.address);
    EXPECT_EQ(std::ranges::count(downs, workers[0], &ClusterNode::MemberDown::member), 1) << node.name;
  }
}

// Of two datacenters, and by the same election: nobody leads without a majority. Pre-votes are in
// election_sequence_test.cpp: a gate that is left alone here is too unhealthy to stand.
// proves: AD13-1, AD1-3
// proves part: AD31-11 (told as a recovery on every path; not that votes and the count of workers take it back)
TEST_F(ClusterNodeTest, GatesElectAndCountPeersLikeManagers) {
  const std::vector<wire::NodeIdentity> gates{identity(NodeRole::kGate, 1, "dc1"), identity(NodeRole::kGate, 2, "dc2"),
                                              identity(NodeRole::kGate, 3, "dc2")};
  for (const auto& gate : gates) {
    ClusterConfig config = config_of(gate, 3);
    config.seeds = {gates[0].address};
    cluster.add(std::move(config));
  }
  cluster.run_for(30s);
  const auto leading = [&] {
    std::vector<wire::NodeIdentity> found;
    for (const auto& gate : gates)
      if (cluster.has(gate.address) && cluster.at(gate.address).leads(cluster.now)) found.push_back(gate);
    return found;
  };
  ASSERT_EQ(leading().size(), 1U);
  const wire::NodeIdentity first = leading().front();
  const wire::Term term = cluster.at(first.address).view(cluster.now).term;
  for (const auto& gate : gates) {
    const ClusterView view = cluster.at(gate.address).view(cluster.now);
    EXPECT_EQ(view.leader, first);
    EXPECT_TRUE(view.quorum_available);
    EXPECT_EQ(cluster.told<ClusterNode::MemberUp>(gate.address).size(), 2U);
    for (const MemberView& member : view.members) EXPECT_EQ(member.identity.tcp_port, 7600);
  }
  cluster.remove(first.address);
  cluster.run_for(180s);
  ASSERT_EQ(leading().size(), 1U);
  const wire::NodeIdentity second = leading().front();
  EXPECT_NE(second, first);
  EXPECT_GT(cluster.at(second.address).view(cluster.now).term, term);
  EXPECT_EQ(cluster.told<ClusterNode::MemberDown>(second.address).size(), 1U);
  EXPECT_TRUE(cluster.at(second.address).view(cluster.now).quorum_available);
  const wire::Term second_term = cluster.at(second.address).view(cluster.now).term;
  ClusterConfig config = config_of(first, 3);
  config.seeds = {second.address};
  cluster.add(std::move(config), cluster.told<ClusterNode::Persist>(first.address).back().state);
  cluster.run_for(60s);
  EXPECT_TRUE(cluster.told<ClusterNode::MemberUp>(second.address).back().recovered);
  EXPECT_EQ(cluster.at(first.address).view(cluster.now).leader, second) << "its own term is over";
  EXPECT_EQ(cluster.at(first.address).view(cluster.now).term, second_term);
  const auto last = std::ranges::find_if(gates, [&](const auto& gate) { return gate != first && gate != second; });
  cluster.remove(first.address);
  cluster.remove(second.address);
  cluster.run_for(180s);
  EXPECT_TRUE(leading().empty());
  EXPECT_FALSE(cluster.at(last->address).view(cluster.now).quorum_available);
}

// proves: AD1-3
// proves part: LEAD-9 (the core; not that a node's loop tells it how late it is)
// proves part: LEAD-1 (not that a suspected node is not eligible)
TEST_F(ClusterNodeTest, LaggingLeaderStepsDownForHealthyPeer) {
  start_managers();
  const wire::NodeIdentity ill = leaders().front();
  for (int i = 0; i < 4; ++i) cluster.step(ill.address, ClusterNode::LoopLag{.late = 5s, .period = 1s});
  EXPECT_EQ(cluster.told<ClusterNode::LostLeadership>(ill.address).size(), 1U);
  const MonoTime end = cluster.now + 60s;
  while (cluster.now < end) {
    cluster.step(ill.address, ClusterNode::LoopLag{.late = 5s, .period = 1s});
    cluster.run_for(500ms);
  }
  ASSERT_EQ(leaders().size(), 1U);
  EXPECT_NE(leaders().front(), ill);
}

// Healthy by its score, but its loop stood still for a second.
// proves part: LEAD-9 (the core; not that a node's loop tells it how late it is)
TEST_F(ClusterNodeTest, SeverelyLaggingLeaderYieldsToLivePeer) {
  start_managers();
  const wire::NodeIdentity slow = leaders().front();
  cluster.step(slow.address, ClusterNode::LoopLag{.late = 300ms, .period = 100ms});
  EXPECT_TRUE(cluster.told<ClusterNode::LostLeadership>(slow.address).empty()) << "a hiccup";
  cluster.run_for(1300ms);
  cluster.step(slow.address, ClusterNode::LoopLag{.late = 1200ms, .period = 100ms});
  ASSERT_LE(stats(slow).health_score, 4U);
  EXPECT_EQ(stats(slow).degradation, Degradation::kSevere);
  const auto lost = cluster.told<ClusterNode::LostLeadership>(slow.address);
  ASSERT_EQ(lost.size(), 1U);
  EXPECT_EQ(lost[0].reason, name(election::LossReason::kDegraded));
  cluster.run_for(30s);
  EXPECT_EQ(stats(slow).degradation, Degradation::kNormal) << "it is over by itself";
  EXPECT_EQ(leaders().size(), 1U);
}

// proves part: LEAD-9 (the core; not that a node's loop tells it how late it is)
TEST_F(ClusterNodeTest, LoneLeaderStepsDownOnlyOnCriticalLag) {
  cluster.add(config_of(managers[0], 1));
  cluster.run_for(30s);
  ASSERT_EQ(leaders().size(), 1U);
  cluster.step(managers[0].address, ClusterNode::LoopLag{.late = 1200ms, .period = 100ms});
  EXPECT_EQ(stats(managers[0]).degradation, Degradation::kSevere);
  EXPECT_EQ(leaders().size(), 1U) << "nobody would be better";
  cluster.run_for(2s);
  cluster.step(managers[0].address, ClusterNode::LoopLag{.late = 2s, .period = 100ms});
  ASSERT_LE(stats(managers[0]).health_score, 4U);
  EXPECT_EQ(stats(managers[0]).degradation, Degradation::kCritical);
  EXPECT_TRUE(leaders().empty());
  cluster.run_for(60s);
  EXPECT_EQ(leaders().size(), 1U) << "fit again";
}

// proves part: LEAD-2 (the core, and a node's priority; not that a node's own health reaches its election)
// proves part: LEAD-1 (not that a suspected node is not eligible)
TEST_F(ClusterNodeTest, PriorityDecidesAmongEquallyHealthyNodes) {
  for (std::size_t preferred = 0; preferred < managers.size(); ++preferred) {
    cluster = SmallCluster();
    for (std::size_t i = 0; i < managers.size(); ++i) {
      ClusterConfig config = config_of(managers[i], 3);
      for (const auto& seed : managers) config.seeds.push_back(seed.address);
      config.priority = i == preferred ? 50 : 0;
      cluster.add(std::move(config));
    }
    cluster.run_for(60s);
    ASSERT_EQ(leaders().size(), 1U);
    EXPECT_EQ(leaders().front(), managers[preferred]);
  }
}

// proves part: LEAD-6 (rising tokens of the term; not that who leads again asks with its newer one)
// proves part: AD10-1 (a token of each leadership's term; not that who leads again asks with its newer one)
TEST_F(ClusterNodeTest, EveryLeadershipHasAHigherTermAndFence) {
  start_managers();
  ASSERT_EQ(leaders().size(), 1U);
  const auto first = cluster.told<ClusterNode::BecameLeader>(leaders().front().address).back();
  cluster.remove(leaders().front().address);
  cluster.run_for(120s);
  ASSERT_EQ(leaders().size(), 1U);
  const auto second = cluster.told<ClusterNode::BecameLeader>(leaders().front().address).back();
  EXPECT_GT(second.term, first.term);
  EXPECT_GT(second.fence, first.fence);
  for (const auto& manager : managers) {  // all start again with what they kept
    DurableState kept = cluster.told<ClusterNode::Persist>(manager.address).back().state;
    cluster.remove(manager.address);
    cluster.actions[manager.address].clear();
    ClusterConfig config = config_of(manager, 3);
    config.seeds = {managers[0].address};
    cluster.add(std::move(config), std::move(kept));
  }
  cluster.run_for(60s);
  ASSERT_EQ(leaders().size(), 1U);
  EXPECT_GT(cluster.told<ClusterNode::BecameLeader>(leaders().front().address).back().fence, second.fence);
}

wire::ClusterMessage farewell(const wire::NodeIdentity& from) {
  wire::ClusterMessage message;
  message.sender = from;
  message.body = wire::Leave{};
  return message;
}

// No heartbeat follows it.
// proves: MSG-UDP-10
TEST_F(ClusterNodeTest, AnAnnouncementAloneTellsWhoLeads) {
  cluster.add(config_of(managers[0], 3));
  ClusterStats theirs;
  PacketGate gate(config_of(managers[1], 3), theirs, cluster.wall());
  wire::ClusterMessage announcement = farewell(managers[1]);
  announcement.body = wire::LeaderAnnounce{.term = wire::Term(4)};
  const auto sealed = gate.seal(managers[0].address, wire::KeyDomain::kGroup, announcement, cluster.wall());
  cluster.deliver({managers[1].address, managers[0].address, *sealed});
  const auto changes = cluster.told<ClusterNode::LeaderChanged>(managers[0].address);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].leader, managers[1]);
  EXPECT_EQ(changes[0].term, wire::Term(4));
}

// proves part: SEC-5 (a bucket for each address and its two numbers in the core; no setting of a node gives them)
TEST_F(ClusterNodeTest, AMemberThatSaysTooMuchIsCutOffAlone) {
  ClusterConfig config = config_of(managers[0], 1);
  config.rate.capacity = 10;
  config.rate.refill_per_second = 1;
  cluster.add(std::move(config));
  std::map<std::string, PacketGate> gates;
  ClusterStats theirs;
  const auto flood = [&](const wire::NodeIdentity& from, int packets) {
    PacketGate& gate = gates.try_emplace(from.name, config_of(from, 1), theirs, cluster.wall()).first->second;
    for (int i = 0; i < packets; ++i) {
      auto sealed = gate.seal(managers[0].address, wire::KeyDomain::kGroup, farewell(from), cluster.wall());
      // The address that a packet comes from says nothing.
      cluster.deliver({managers[2].address, managers[0].address, *sealed});
    }
    return stats(managers[0]).refused_rate;
  };
  EXPECT_EQ(flood(managers[1], 10), 0U);
  EXPECT_EQ(flood(managers[1], 5), 5U);
  EXPECT_EQ(flood(managers[2], 10), 5U) << "another member has a bucket of its own";
  cluster.run_for(3s);
  EXPECT_EQ(flood(managers[1], 4), 6U) << "three were filled up";
}

TEST_F(ClusterNodeTest, ForgedSendersDoNotSilenceAPeer) {
  start_managers();
  const wire::NodeIdentity leader = leaders().front();
  const wire::Term term = cluster.at(leader.address).view(cluster.now).term;
  const SharedBytes true_packet = cluster.sent.back().bytes;
  std::vector<std::uint8_t> forged(true_packet.view().begin(), true_packet.view().end());
  forged.back() ^= 1;
  for (int tick = 0; tick < 600; ++tick) {  // a minute with a thousand packets a second for each pair
    for (const auto& to : managers) {
      for (const auto& from : managers) {
        if (from == to) continue;
        for (int i = 0; i < 50; ++i) {
          cluster.deliver({from.address, to.address, SharedBytes::copy_of("noise")});
          cluster.deliver({from.address, to.address, SharedBytes::copy_of(ByteView(forged))});
        }
        cluster.deliver({from.address, to.address, true_packet});  // replayed
      }
    }
    cluster.run_for(100ms);
  }
  ASSERT_EQ(leaders().size(), 1U);
  EXPECT_EQ(leaders().front(), leader);
  EXPECT_EQ(cluster.at(leader.address).view(cluster.now).term, term);
  for (const auto& manager : managers) {
    EXPECT_EQ(stats(manager).membership.deaths_detected, 0U);
    EXPECT_EQ(stats(manager).refused_rate, 0U);
    EXPECT_GT(stats(manager).refused_forged, 10'000U);
  }
}

// A worker that has only the workers' secret can speak as a worker, to managers, and in no other way.
TEST_F(ClusterNodeTest, AWorkersSecretMakesNoManager) {
  const wire::Keyring of_workers = *wire::Keyring::make("the-Workers-0wn-secret/17");
  ClusterConfig config = config_of(managers[0], 1);
  config.keys = config.keys.with_workers(of_workers);
  cluster.add(std::move(config));
  const wire::NodeIdentity worker = identity(NodeRole::kWorker, 1);
  ClusterConfig theirs = config_of(worker, 0);
  theirs.keys = of_workers;
  ClusterStats ignored;
  PacketGate gate(theirs, ignored, cluster.wall());
  const auto say = [&](const wire::NodeIdentity& as, wire::KeyDomain domain) {
    auto sealed = gate.seal(managers[0].address, domain, farewell(as), cluster.wall());
    cluster.deliver({worker.address, managers[0].address, *sealed});
    return stats(managers[0]);
  };
  EXPECT_EQ(say(managers[1], wire::KeyDomain::kGroup).refused_unsealed, 1U);
  EXPECT_EQ(say(managers[1], wire::KeyDomain::kWorkers).refused_role, 1U);
  EXPECT_EQ(say(identity(NodeRole::kGate, 1), wire::KeyDomain::kWorkers).refused_role, 2U);
  EXPECT_EQ(say(worker, wire::KeyDomain::kGroup).refused_unsealed, 2U);
  const ClusterStats after = say(worker, wire::KeyDomain::kWorkers);
  EXPECT_EQ(after.refused_unsealed + after.refused_role, 4U) << "as itself it is heard";
}

TEST_F(ClusterNodeTest, ManagersWithBothSecretsFindTheirWorkers) {
  const wire::Keyring of_workers = *wire::Keyring::make("the-Workers-0wn-secret/17");
  for (const auto& manager : managers) {
    ClusterConfig config = config_of(manager, 3);
    config.keys = config.keys.with_workers(of_workers);
    config.seeds = {managers[0].address};
    cluster.add(std::move(config));
  }
  const wire::NodeIdentity worker = identity(NodeRole::kWorker, 1);
  ClusterConfig config = config_of(worker, 0);
  config.keys = of_workers;
  config.seeds = {managers[0].address};
  cluster.add(std::move(config));
  cluster.run_for(60s);
  EXPECT_EQ(leaders().size(), 1U);
  for (const auto& manager : managers) {
    const auto view = cluster.at(manager.address).view(cluster.now);
    EXPECT_TRUE(std::ranges::any_of(view.members, [&](const auto& m) { return m.identity == worker; })) << manager.name;
    EXPECT_EQ(view.stats.refused_unsealed + view.stats.refused_role, 0U) << manager.name;
  }
  EXPECT_EQ(cluster.at(worker.address).view(cluster.now).stats.refused_unsealed, 0U);
}

// A sender's clock is ahead: what it said before a restart would still be fresh after it.
TEST_F(ClusterNodeTest, WhatWasHeardBeforeARestartIsNotHeardAgain) {
  const auto start = [&](DurableState kept) {
    cluster.remove(managers[0].address);
    ClusterConfig config = config_of(managers[0], 3);
    cluster.add(std::move(config), std::move(kept));
  };
  start({});
  cluster.run_for(1s);
  ClusterStats theirs;
  PacketGate gate(config_of(managers[1], 3), theirs, cluster.wall());
  const auto ahead =
      gate.seal(managers[0].address, wire::KeyDomain::kGroup, farewell(managers[1]), cluster.wall() + 4s);
  cluster.deliver({managers[1].address, managers[0].address, *ahead});
  ASSERT_EQ(stats(managers[0]).refused_stale, 0U);
  const auto kept = cluster.told<ClusterNode::Persist>(managers[0].address);
  ASSERT_FALSE(kept.empty());
  EXPECT_GE(kept.back().state.heard_until, cluster.wall() + 4s);
  start(kept.back().state);
  cluster.run_for(100ms);
  cluster.deliver({managers[1].address, managers[0].address, *ahead});
  EXPECT_EQ(stats(managers[0]).refused_stale, 1U);
  cluster.run_for(6s);
  const auto later = gate.seal(managers[0].address, wire::KeyDomain::kGroup, farewell(managers[1]), cluster.wall());
  cluster.deliver({managers[1].address, managers[0].address, *later});
  EXPECT_EQ(stats(managers[0]).refused_stale, 1U) << "what is said now is heard";
}

// What a stranger who copies a key id can make a node decipher is bounded.
TEST_F(ClusterNodeTest, OpeningIsBoundedForAllSendersTogether) {
  ClusterConfig config = config_of(managers[0], 1);
  config.opening = {.capacity = 100, .refill_per_second = 10};
  cluster.add(std::move(config));
  ClusterStats theirs;
  PacketGate gate(config_of(managers[1], 1), theirs, cluster.wall());
  std::vector<std::uint8_t> forged;
  const auto sealed = gate.seal(managers[0].address, wire::KeyDomain::kGroup, farewell(managers[1]), cluster.wall());
  forged.assign(sealed->view().begin(), sealed->view().end());
  forged.back() ^= 1;
  for (int i = 0; i < 150; ++i)
    cluster.deliver({managers[1].address, managers[0].address, SharedBytes::copy_of(ByteView(forged))});
  EXPECT_EQ(stats(managers[0]).refused_forged, 100U);
  EXPECT_EQ(stats(managers[0]).refused_opening, 50U);
  for (int i = 0; i < 150; ++i)
    cluster.deliver({managers[1].address, managers[0].address, SharedBytes::copy_of("noise")});
  EXPECT_EQ(stats(managers[0]).refused_malformed, 150U) << "noise is refused before the bucket";
}

// proves part: SWIM-GOSSIP-2 (the buffer and every message; not the bound that a node gives its buffer)
// proves part: SEC-1 (datagrams, questions and answers; error frames between nodes are plain)
TEST_F(ClusterNodeTest, NoPacketShowsWhoSpeaks) {
  start_managers();
  ASSERT_FALSE(cluster.sent.empty());
  for (const auto& packet : cluster.sent) {
    EXPECT_LE(packet.bytes.size(), wire::kDatagramBytesMax);
    for (const auto& manager : managers) EXPECT_EQ(packet.bytes.text().find(manager.name), std::string_view::npos);
  }
}

TEST_F(ClusterNodeTest, AVoteIsPersistedBeforeItIsSent) {
  start_managers();
  for (const auto& manager : managers) {
    const auto saved = cluster.told<ClusterNode::Persist>(manager.address);
    ASSERT_FALSE(saved.empty());
    EXPECT_EQ(saved.back().state.term, cluster.at(manager.address).view(cluster.now).term);
    EXPECT_GE(saved.front().state.incarnation, wire::Incarnation(1));
  }
}

// proves: STATE-1, STATE-3
// proves part: AD1-2 (the core accepts and sends it; not ClusterService::embed, which nothing calls)
// proves part: SWIM-EMBED-3 (a manager drops those of a worker; not a worker or gate those of a manager)
// proves part: OV-9 (state is embedded; leaders of a real node ask for full state besides)
// proves part: STATE-5 (what it tells is dropped; that its sender was heard from still counts)
// proves part: SWIM-EMBED-2 (not a worker's health, not the health of a datacenter)
TEST_F(ClusterNodeTest, EmbeddedStateReachesPeersOncePerVersion) {
  start_managers();
  const wire::NodeIdentity worker = identity(NodeRole::kWorker, 1);
  ClusterConfig config = config_of(worker, 0);
  config.seeds = {managers[0].address};
  config.tells_heartbeat = false;
  cluster.add(std::move(config));
  const auto heartbeat = [&](std::uint64_t version, std::uint32_t cores) {
    wire::WorkerHeartbeat beat;
    beat.node_id = worker.name;
    beat.version = version;
    beat.available_cores = cores;
    return SharedBytes::adopt(wire::encode_heartbeat(beat));
  };
  cluster.step(worker.address, ClusterNode::EmbedState{.state = heartbeat(1, 8)});
  cluster.run_for(60s);
  cluster.step(worker.address, ClusterNode::EmbedState{.state = heartbeat(2, 3)});
  cluster.run_for(60s);
  for (const auto& manager : managers) {
    auto states = cluster.told<ClusterNode::StateReceived>(manager.address);
    std::erase_if(states, [&](const auto& each) { return each.from != worker; });
    ASSERT_EQ(states.size(), 2U) << "each version once, although it rides on every message";
    EXPECT_EQ(states[0].state.text(), heartbeat(1, 8).text());
    EXPECT_EQ(states[1].state.text(), heartbeat(2, 3).text());
    EXPECT_GT(stats(manager).states_stale, 0U);
  }
  ClusterStats theirs;
  PacketGate gate(config_of(worker, 0), theirs, cluster.wall());
  wire::ClusterMessage late;  // told before the last one, and comes after it
  late.sender = worker;
  late.incarnation = wire::Incarnation(1);
  late.body = wire::SyncPage{};
  late.embedded_state = with_version(state_version(wire::Incarnation(1), 1), heartbeat(1, 8).view());
  const auto sealed = gate.seal(managers[0].address, wire::KeyDomain::kWorkers, late, cluster.wall());
  const auto count = [&] { return cluster.told<ClusterNode::StateReceived>(managers[0].address).size(); };
  const std::size_t told = count();
  const std::uint64_t stale = stats(managers[0]).states_stale;
  cluster.deliver({worker.address, managers[0].address, *sealed});
  EXPECT_EQ(stats(managers[0]).states_stale, stale + 1);
  EXPECT_EQ(count(), told);
}

// proves part: AD1-2 (the core accepts and sends it; not ClusterService::embed, which nothing calls)
TEST_F(ClusterNodeTest, TheOwnersStateReplacesTheNodesHeartbeat) {
  start_managers();
  const wire::NodeIdentity worker = identity(NodeRole::kWorker, 1);
  ClusterConfig config = config_of(worker, 0);
  config.seeds = {managers[0].address};
  cluster.add(std::move(config));
  cluster.run_for(60s);
  const auto last_state = [&](const wire::NodeIdentity& at) {
    const auto states = cluster.told<ClusterNode::StateReceived>(at.address);
    const auto of_worker = [&](const auto& each) { return each.from == worker; };
    const auto last = std::find_if(states.rbegin(), states.rend(), of_worker);
    return last == states.rend() ? std::string() : std::string(last->state.text());
  };
  wire::WorkerHeartbeat beat;
  beat.node_id = worker.name;
  beat.version = 99;
  beat.available_cores = 3;
  const SharedBytes given = SharedBytes::adopt(wire::encode_heartbeat(beat));
  for (const auto& manager : managers) {
    EXPECT_FALSE(last_state(manager).empty()) << "its own until then";
    EXPECT_NE(last_state(manager), given.text());
  }
  cluster.step(worker.address, ClusterNode::EmbedState{.state = given});
  cluster.step(worker.address, ClusterNode::CoresAvailable{.count = 7});
  cluster.run_for(60s);
  for (const auto& manager : managers) EXPECT_EQ(last_state(manager), given.text());
}

// proves: MSG-HB-3
// proves part: OV-9 (a worker's cores)
// proves part: OV-7 (the count that is told)
// proves part: SWIM-EMBED-2 (not a worker's health, not the health of a datacenter)
TEST_F(ClusterNodeTest, AWorkerTellsHowManyOfItsCoresAreAvailable) {
  start_managers();
  const wire::NodeIdentity worker = identity(NodeRole::kWorker, 1);
  ClusterConfig config = config_of(worker, 0);
  config.seeds = {managers[0].address};
  cluster.add(std::move(config));
  for (const std::uint32_t available : {8U, 4U}) {
    cluster.step(worker.address, ClusterNode::CoresAvailable{.count = available});
    cluster.run_for(60s);
    for (const auto& manager : managers) {
      const auto states = cluster.told<ClusterNode::StateReceived>(manager.address);
      const auto of_worker = [&](const auto& each) { return each.from == worker; };
      const auto last = std::find_if(states.rbegin(), states.rend(), of_worker);
      ASSERT_NE(last, states.rend());
      const auto heartbeat = wire::decode_heartbeat(last->state.view());
      ASSERT_TRUE(heartbeat);
      EXPECT_EQ(std::get<wire::WorkerHeartbeat>(*heartbeat).available_cores, available);
    }
  }
}

// proves: STATE-4
TEST_F(ClusterNodeTest, StateOfDeadPeerIsForgottenLater) {
  start_managers();
  ASSERT_EQ(stats(managers[0]).states_known, 2U);
  cluster.remove(managers[2].address);
  cluster.run_for(800s);
  EXPECT_EQ(stats(managers[0]).states_known, 2U);
  for (int i = 0; i < 10; ++i) {
    cluster.step(managers[1].address, ClusterNode::EmbedState{.state = SharedBytes::copy_of(std::to_string(i))});
    cluster.run_for(20s);
  }
  EXPECT_EQ(stats(managers[0]).states_known, 1U);
}

// Nothing is wired into the core: who carries out its actions is whoever calls it, and what it tells can change.
// proves part: AD1-4 (what a node tells and whom it tells can be replaced at runtime)
TEST_F(ClusterNodeTest, OwnerAndToldStateCanChangeAtRuntime) {
  start_managers();
  const auto told_by_second = [&] {
    std::vector<std::string> texts;
    for (const auto& state : cluster.told<ClusterNode::StateReceived>(managers[0].address))
      if (state.from == managers[1]) texts.emplace_back(state.state.text());
    return texts;
  };
  const auto tell = [&](std::string_view text) {
    cluster.step(managers[1].address, ClusterNode::EmbedState{.state = SharedBytes::copy_of(text)});
    cluster.run_for(60s);
  };
  const auto first_owner = std::exchange(cluster.actions, {});
  ASSERT_FALSE(first_owner.at(managers[0].address).empty());
  tell("of one owner");
  tell("of another");
  tell("");  // of none: the heartbeat of its role again
  const auto states = told_by_second();
  ASSERT_GE(states.size(), 3u);
  EXPECT_EQ(states[0], "of one owner");
  EXPECT_EQ(states[1], "of another");
  EXPECT_TRUE(wire::decode_heartbeat(SharedBytes::copy_of(states[2]).view()));
  ClusterNode moved = std::move(cluster.at(managers[0].address));
  cluster.at(managers[0].address) = std::move(moved);
  cluster.remove(managers[2].address);
  cluster.run_for(120s);
  EXPECT_EQ(cluster.told<ClusterNode::MemberDown>(managers[0].address).size(), 1u) << "the new owner hears of it";
}

// proves: AD35-VIV-3, AD35-OBS-2
// proves part: AD35-OBS-3 (every field; measured_rtt_samples has the last one only)
TEST_F(ClusterNodeTest, ProbesCarryCoordinatesAndGiveRoundTrips) {
  start_managers();
  cluster.run_for(60s);
  const ClusterView view = cluster.at(managers[0].address).view(cluster.now);
  ASSERT_TRUE(view.coordinate);
  EXPECT_GT(view.coordinate->sample_count, 10U);
  for (const MemberView& member : view.members) {
    ASSERT_TRUE(member.rtt_ms);
    EXPECT_NEAR(*member.rtt_ms, 2.0, 1.0);
    EXPECT_GT(member.rtt_ucb_ms, *member.rtt_ms);
  }
}

// proves part: SEC-4 (duplicates and stale ones are refused; no setting of a node gives the window)
TEST_F(ClusterNodeTest, BadPacketsAreCountedAndChangeNothing) {
  start_managers();
  const auto victim = managers[0];
  const auto to_victim = [&](const SmallCluster::Packet& packet) { return packet.to == victim.address; };
  const auto last = std::find_if(cluster.sent.rbegin(), cluster.sent.rend(), to_victim);
  ASSERT_NE(last, cluster.sent.rend());
  SmallCluster::Packet packet = *last;
  const ClusterStats before = stats(victim);
  cluster.deliver(packet);
  EXPECT_EQ(stats(victim).refused_replayed, before.refused_replayed + 1);
  std::vector<std::uint8_t> flipped(packet.bytes.view().begin(), packet.bytes.view().end());
  flipped[flipped.size() / 2] ^= 1;
  cluster.deliver({packet.from, packet.to, SharedBytes::adopt(flipped)});
  EXPECT_EQ(stats(victim).refused_forged, before.refused_forged + 1);
  packet.to = managers[1].address;  // as an attacker who sends it on to someone else
  const ClusterStats other = stats(managers[1]);
  cluster.deliver(packet);
  EXPECT_EQ(stats(managers[1]).refused_forged, other.refused_forged + 1);
  cluster.add(config_of(identity(NodeRole::kManager, 9), 1, "another-Secret-of-tests-0815"));
  for (const auto& each : std::vector(cluster.sent))
    if (each.from == identity(NodeRole::kManager, 9).address) cluster.deliver({each.from, victim.address, each.bytes});
  EXPECT_EQ(leaders().size(), 1U);
  EXPECT_TRUE(cluster.told<ClusterNode::MemberDown>(victim.address).empty());
}

// proves part: SEC-4 (duplicates and stale ones are refused; no setting of a node gives the window)
TEST_F(ClusterNodeTest, APacketOlderThanTheConfiguredWindowIsStale) {
  for (const auto& manager : managers) {
    ClusterConfig config = config_of(manager, 3);
    config.seeds = {managers[0].address};
    config.replay.back = 10s;
    cluster.add(std::move(config));
  }
  cluster.run_for(30s);
  const auto to_first = [&](const SmallCluster::Packet& each) { return each.to == managers[0].address; };
  const auto last = std::find_if(cluster.sent.rbegin(), cluster.sent.rend(), to_first);
  ASSERT_NE(last, cluster.sent.rend());
  const SmallCluster::Packet packet = *last;
  cluster.run_for(11s);
  const ClusterStats before = stats(managers[0]);
  cluster.deliver(packet);
  EXPECT_EQ(stats(managers[0]).refused_stale, before.refused_stale + 1);
  EXPECT_EQ(stats(managers[0]).refused_replayed, before.refused_replayed);
}

// proves: AD25-1
// proves part: AD25-6 (managers of mixed minor versions; no jobs run meanwhile)
TEST_F(ClusterNodeTest, MinorVersionsMixAndMajorVersionsDoNot) {
  for (std::size_t i = 0; i < managers.size(); ++i) {
    ClusterConfig config = config_of(managers[i], 3);
    config.seeds = {managers[0].address};
    config.version.minor = static_cast<std::uint16_t>(i);
    cluster.add(std::move(config));
  }
  ClusterConfig foreign = config_of(identity(NodeRole::kManager, 7), 1);
  foreign.seeds = {managers[0].address};
  foreign.version.major = 2;
  cluster.add(std::move(foreign));
  cluster.run_for(60s);
  EXPECT_EQ(leaders().size(), 1U);
  for (const auto& manager : managers)
    EXPECT_EQ(cluster.told<ClusterNode::MemberUp>(manager.address).size(), 2U) << "the stranger is not among them";
  EXPECT_TRUE(cluster.told<ClusterNode::MemberUp>(identity(NodeRole::kManager, 7).address).empty()) << "nor they to it";
  EXPECT_GT(stats(managers[0]).refused_foreign, 0U);
}

// proves: AD25-1
TEST_F(ClusterNodeTest, AWorkerOfAnotherMajorVersionIsRefusedToo) {
  start_managers();
  const wire::NodeIdentity worker = identity(NodeRole::kWorker, 7);
  ClusterConfig foreign = config_of(worker, 0);
  foreign.seeds = {managers[0].address};
  foreign.version.major = 2;
  cluster.add(std::move(foreign));
  cluster.run_for(60s);
  EXPECT_EQ(cluster.told<ClusterNode::MemberUp>(managers[0].address).size(), 2U) << "the other managers";
  EXPECT_TRUE(cluster.told<ClusterNode::MemberUp>(worker.address).empty());
  EXPECT_GT(stats(managers[0]).refused_foreign, 0U);
}

// One after the other leaves and comes back with the next version, as in a rolling upgrade.
// proves part: AD25-6 (a leader ten seconds after each step, nobody lost; no jobs run meanwhile)
TEST_F(ClusterNodeTest, ARollingUpgradeAlwaysHasALeaderAndLosesNobody) {
  const auto add = [&](const wire::NodeIdentity& manager, std::uint16_t minor, DurableState kept) {
    ClusterConfig config = config_of(manager, 3);
    for (const auto& seed : managers) config.seeds.push_back(seed.address);
    config.version.minor = minor;
    cluster.add(std::move(config), std::move(kept));
  };
  for (const auto& manager : managers) add(manager, 1, {});
  cluster.run_for(30s);
  ASSERT_EQ(leaders().size(), 1U);
  for (const auto& manager : managers) {
    cluster.step(manager.address, ClusterNode::Leave{.wall = cluster.wall()});
    cluster.run_for(10s);
    EXPECT_EQ(leaders().size(), 1U) << "the two others go on without " << manager.name;
    DurableState kept = cluster.told<ClusterNode::Persist>(manager.address).back().state;
    cluster.remove(manager.address);
    add(manager, 2, std::move(kept));
    cluster.run_for(30s);
    EXPECT_EQ(leaders().size(), 1U) << "with " << manager.name << " of the next version";
    for (const auto& other : managers) {
      for (const auto& down : cluster.told<ClusterNode::MemberDown>(other.address)) EXPECT_TRUE(down.left);
      EXPECT_EQ(cluster.at(other.address).view(cluster.now).members.size(), 2U);
      for (const MemberView& member : cluster.at(other.address).view(cluster.now).members)
        EXPECT_EQ(member.state, membership::MemberState::kAlive) << member.identity.name;
    }
  }
}

// proves: SWIM-5
TEST_F(ClusterNodeTest, ChangesAreInTheAuditLogAndCounted) {
  start_managers();
  cluster.remove(managers[2].address);
  cluster.run_for(120s);
  std::vector<membership::AuditEvent> events;
  for (const auto& entry : cluster.at(managers[0].address).audit())
    if (entry.subject == managers[2].address) events.push_back(entry.event);
  EXPECT_THAT(events, testing::Contains(membership::AuditEvent::kPeerConfirmed));
  EXPECT_THAT(events, testing::Contains(membership::AuditEvent::kSuspected));
  EXPECT_EQ(events.back(), membership::AuditEvent::kDied);
  const membership::Counters counters = stats(managers[0]).membership;
  EXPECT_GT(counters.probes_sent, 0U);
  EXPECT_EQ(counters.deaths_detected + counters.deaths_gossiped, 1U);
}

// proves: AD1-3, AD31-1
TEST_F(ClusterNodeTest, AGoodbyeIsNotADeathAndALeaderResignsFirst) {
  start_managers();
  const wire::NodeIdentity leader = leaders().front();
  cluster.step(leader.address, ClusterNode::Leave{.wall = cluster.wall()});
  cluster.run_for(10s);
  EXPECT_EQ(cluster.told<ClusterNode::Left>(leader.address).size(), 1U);
  EXPECT_EQ(cluster.told<ClusterNode::LostLeadership>(leader.address).size(), 1U);
  for (const auto& manager : managers) {
    if (manager == leader) continue;
    const auto downs = cluster.told<ClusterNode::MemberDown>(manager.address);
    ASSERT_EQ(downs.size(), 1U);
    EXPECT_TRUE(downs[0].left);
  }
}

TEST_F(ClusterNodeTest, AClockThatGoesBackMutesNobody) {
  start_managers();
  cluster.wall_offset = -30s;
  cluster.run_for(60s);
  for (const auto& manager : managers) EXPECT_TRUE(cluster.told<ClusterNode::MemberDown>(manager.address).empty());
  EXPECT_EQ(leaders().size(), 1U);
}

}  // namespace
}  // namespace hyperscale::cluster
