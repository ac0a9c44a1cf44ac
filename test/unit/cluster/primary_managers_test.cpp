#include "cluster/primary_managers.h"

#include "small_cluster.h"
#include "wire/heartbeat.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::cluster {
namespace {

using membership::MemberState;
using wire::NodeRole;

// A gate, two datacenters of three managers each, a worker in the first.
class PrimaryManagersTest : public testing::Test {
 protected:
  void start(Duration worker_probes = 1s) {
    ClusterConfig gate_config = config_of(gate, 1);
    for (const auto& manager : managers) {
      ClusterConfig config = config_of(manager, 3);
      config.seeds = {managers[manager.datacenter == "dc1" ? 0 : 3].address};
      gate_config.seeds.push_back(manager.address);
      cluster.add(std::move(config));
    }
    cluster.add(std::move(gate_config));
    ClusterConfig config = config_of(worker, 0);
    config.seeds = {managers[0].address};
    config.probe_interval = worker_probes;
    cluster.add(std::move(config));
    cluster.run_for(60s);
  }
  static wire::NodeIdentity manager(std::uint8_t number, const std::string& datacenter) {
    wire::NodeIdentity made = identity(NodeRole::kManager, number, datacenter);
    made.name = datacenter + "-" + made.name;
    return made;
  }
  PrimaryView row(const wire::NodeIdentity& node, const std::string& datacenter = "dc1") {
    for (PrimaryView& each : cluster.at(node.address).view(cluster.now).primaries)
      if (each.datacenter == datacenter) return each;
    ADD_FAILURE() << node.name << " has no row of " << datacenter;
    return {.datacenter = datacenter};
  }
  wire::NodeIdentity primary(const wire::NodeIdentity& node, const std::string& datacenter = "dc1") {
    return row(node, datacenter).primary.value_or(wire::NodeIdentity());
  }
  wire::NodeIdentity leader_of(const std::string& datacenter) {
    for (const auto& each : managers)
      if (each.datacenter == datacenter && cluster.has(each.address) && cluster.at(each.address).leads(cluster.now))
        return each;
    return {};
  }
  MemberView member(const wire::NodeIdentity& node, const wire::NodeIdentity& of) {
    for (MemberView& each : cluster.at(node.address).view(cluster.now).members)
      if (each.identity.address == of.address) return each;
    return {};
  }
  std::vector<ClusterNode::PrimaryChanged> changes(const wire::NodeIdentity& node) {
    return cluster.told<ClusterNode::PrimaryChanged>(node.address);
  }

  const wire::NodeIdentity gate = identity(NodeRole::kGate, 1, "");
  const wire::NodeIdentity worker = identity(NodeRole::kWorker, 1);
  const std::vector<wire::NodeIdentity> managers{manager(1, "dc1"),  manager(2, "dc1"),  manager(3, "dc1"),
                                                 manager(11, "dc2"), manager(12, "dc2"), manager(13, "dc2")};
  SmallCluster cluster;
};

TEST_F(PrimaryManagersTest, WorkerHasOnePrimaryGateOnePerDatacenter) {
  start();
  EXPECT_EQ(cluster.at(worker.address).view(cluster.now).primaries.size(), 1U);
  EXPECT_EQ(primary(worker).datacenter, "dc1");
  EXPECT_EQ(cluster.at(gate.address).view(cluster.now).primaries.size(), 2U);
  EXPECT_EQ(primary(gate, "dc1").datacenter, "dc1");
  EXPECT_EQ(primary(gate, "dc2").datacenter, "dc2");
  EXPECT_TRUE(cluster.at(managers[0].address).view(cluster.now).primaries.empty());
  ASSERT_FALSE(changes(worker).empty());
  EXPECT_EQ(to_string(changes(worker).front()),
            "primary manager of dc1 is " + changes(worker).front().manager->name + ": the first one");
}

// proves: AD31-9
// proves part: OV-9 (a manager's heartbeat tells who leads)
// proves part: SWIM-EMBED-2 (not a worker's health, not the health of a datacenter)
TEST_F(PrimaryManagersTest, HeartbeatsTellWhoLeads) {
  start();
  EXPECT_EQ(row(worker).leader, leader_of("dc1"));
  EXPECT_EQ(row(gate, "dc2").leader, leader_of("dc2"));
  const ClusterView view = cluster.at(worker.address).view(cluster.now);
  EXPECT_EQ(view.leader, leader_of("dc1"));
  EXPECT_EQ(view.term, cluster.at(managers[0].address).view(cluster.now).term);
}

// proves: MSG-HB-3
// proves part: OV-9 (a gate's heartbeat)
TEST_F(PrimaryManagersTest, AGateEmbedsItsHeartbeatToo) {
  start();
  const auto states = cluster.told<ClusterNode::StateReceived>(managers[0].address);
  const auto found = std::find_if(states.begin(), states.end(), [&](const auto& each) { return each.from == gate; });
  ASSERT_NE(found, states.end());
  const auto heartbeat = wire::decode_heartbeat(found->state.view());
  ASSERT_TRUE(heartbeat);
  EXPECT_TRUE(std::holds_alternative<wire::GateHeartbeat>(*heartbeat));
}

// proves: AD31-9
TEST_F(PrimaryManagersTest, WorkerFailsOverInStepThatReportsDeath) {
  start(5s);  // slower than the managers: it hears of the death, and does not look around in between
  const wire::NodeIdentity old = primary(worker);
  cluster.actions[worker.address].clear();
  cluster.remove(old.address);
  wire::NodeIdentity before;
  for (int i = 0; i < 300'000 && cluster.told<ClusterNode::MemberDown>(worker.address).empty(); ++i) {
    before = primary(worker);
    cluster.run_for(1ms);
  }
  ASSERT_EQ(before, old) << "it was the primary until the death was heard";
  const auto downs = cluster.told<ClusterNode::MemberDown>(worker.address);
  ASSERT_EQ(downs.size(), 1U);
  ASSERT_EQ(downs[0].member, old);
  ASSERT_TRUE(downs[0].heard_by_gossip);
  ASSERT_FALSE(downs[0].left);
  EXPECT_NE(primary(worker), old);
  EXPECT_EQ(primary(worker).datacenter, "dc1");
}

// The worker hears of the death from others or finds it itself.
// proves: AD31-9
TEST_F(PrimaryManagersTest, WorkerLearnsNewLeaderAfterPrimaryDies) {
  start();
  const wire::NodeIdentity old_leader = leader_of("dc1");
  // So that one death is both: the worker may turn to nobody but the leader.
  cluster.drop = [&](const SmallCluster::Packet& packet) {
    return packet.to == worker.address && packet.from != old_leader.address;
  };
  cluster.run_for(120s);
  cluster.drop = nullptr;
  cluster.run_for(60s);
  ASSERT_EQ(row(worker).leader, old_leader);
  ASSERT_EQ(primary(worker), old_leader);
  const std::size_t before = changes(worker).size();
  cluster.actions[worker.address].clear();
  cluster.remove(old_leader.address);
  while (cluster.told<ClusterNode::MemberDown>(worker.address).empty()) cluster.run_for(1ms);
  cluster.run_for(120s);
  const auto& told = cluster.actions[worker.address];
  const auto down = std::ranges::find_if(told, [&](const ClusterNode::Action& action) {
    const auto* each = std::get_if<ClusterNode::MemberDown>(&action);
    return each != nullptr && each->member == old_leader;
  });
  ASSERT_NE(down, told.end());
  EXPECT_NE(primary(worker), old_leader);
  EXPECT_EQ(primary(worker).datacenter, "dc1");
  EXPECT_GE(before, 1U);
  EXPECT_FALSE(changes(worker).empty());
  ASSERT_NE(leader_of("dc1").name, "");
  EXPECT_NE(leader_of("dc1"), old_leader);
  EXPECT_EQ(row(worker).leader, leader_of("dc1"));
  EXPECT_EQ(row(worker).term, cluster.at(leader_of("dc1").address).view(cluster.now).term);
}

TEST_F(PrimaryManagersTest, WorkerFailsOverInStepThatReportsLeave) {
  start();
  const wire::NodeIdentity old = primary(worker);
  cluster.actions[worker.address].clear();
  cluster.step(old.address, ClusterNode::Leave{.wall = cluster.wall()});
  while (cluster.told<ClusterNode::MemberDown>(worker.address).empty()) cluster.run_for(1ms);
  ASSERT_EQ(changes(worker).size(), 1U);
  EXPECT_EQ(changes(worker).front().reason, ChoiceReason::kGone);
  EXPECT_NE(primary(worker), old);
}

// A manager whose packets no longer reach the gate, but reach others that answer the gate's indirect probes for it.
// proves: AD30-JOB-1
// proves part: AD30-INT-8 (a primary that falls silent; not other managers, nor one whose heartbeats never came)
TEST_F(PrimaryManagersTest, GateSuspectsSilentManagerForDatacenterOnly) {
  start();
  const wire::NodeIdentity silent = primary(gate, "dc1");
  cluster.drop = [&](const SmallCluster::Packet& packet) {
    return packet.from == silent.address && packet.to == gate.address;
  };
  cluster.run_for(120s);
  const ClusterNode& node = cluster.at(gate.address);
  EXPECT_FALSE(node.is_alive_for_job("dc1", silent.address));
  EXPECT_TRUE(node.is_alive_for_job("another job", silent.address)) << "the machine lives";
  EXPECT_NE(member(gate, silent).state, MemberState::kDead);
  EXPECT_NE(primary(gate, "dc1"), silent);
  EXPECT_EQ(primary(gate, "dc1").datacenter, "dc1");
  const auto downs = cluster.told<ClusterNode::JobNodeDown>(gate.address);
  ASSERT_EQ(downs.size(), 1U);
  EXPECT_EQ(downs[0].job, "dc1");
  EXPECT_EQ(downs[0].member, silent);
  // Heard again, it is alive there again; it never died, so nothing else could have told.
  cluster.drop = nullptr;
  cluster.run_for(60s);
  EXPECT_TRUE(node.is_alive_for_job("dc1", silent.address));
  EXPECT_TRUE(cluster.told<ClusterNode::MemberDown>(gate.address).empty());
}

// All managers of a datacenter are up and healthy, and none answers for it.
// proves part: AD30-INT-8 (a primary that falls silent; not other managers, nor one whose heartbeats never came)
TEST_F(PrimaryManagersTest, GateSkipsManagersDeadForTheDatacenter) {
  start();
  for (const auto& each : managers) {
    if (each.datacenter != "dc1") continue;
    EXPECT_TRUE(cluster.at(gate.address).suspect_job("dc1", each.address, cluster.now));
  }
  cluster.run_for(60s);
  EXPECT_EQ(cluster.told<ClusterNode::JobNodeDown>(gate.address).size(), 3U);
  EXPECT_EQ(row(gate, "dc1").primary, std::nullopt);
  EXPECT_EQ(primary(gate, "dc2").datacenter, "dc2") << "another datacenter is not concerned";
  EXPECT_TRUE(cluster.told<ClusterNode::MemberDown>(gate.address).empty());
  cluster.at(gate.address).answered_job("dc1", managers[1].address);
  cluster.run_for(5s);
  EXPECT_EQ(primary(gate, "dc1"), managers[1]);
}

TEST_F(PrimaryManagersTest, AHealthyClusterMissesNobody) {
  start();
  cluster.run_for(600s);
  EXPECT_TRUE(cluster.told<ClusterNode::JobNodeDown>(gate.address).empty());
  EXPECT_LE(changes(worker).size(), 3U) << "the first one, and better ones once distances are known";
}

// proves: AD35-VIV-9
// proves part: AD35-RTT-4 (peers; not datacenters)
TEST_F(PrimaryManagersTest, AManagerWhoseDistanceNobodyKnowsIsTakenAtOnce) {
  start();
  const wire::NodeIdentity newcomer = identity(NodeRole::kWorker, 2);
  ClusterConfig config = config_of(newcomer, 0);
  config.seeds = {managers[0].address};
  cluster.add(std::move(config));
  for (int i = 0; i < 5'000 && cluster.told<ClusterNode::MemberUp>(newcomer.address).empty(); ++i) cluster.run_for(1ms);
  EXPECT_FALSE(member(newcomer, managers[0]).rtt_ms);
  EXPECT_EQ(primary(newcomer), managers[0]);
}

// proves part: AD35-RTT-5 (the choice of a manager; jobs are not routed between datacenters yet)
TEST_F(PrimaryManagersTest, AManagerThatSaysItDrainsIsLeftHoweverNearItIs) {
  start();
  const wire::NodeIdentity old = primary(worker);
  wire::ManagerHeartbeat beat;
  beat.node_id = old.name;
  beat.datacenter = old.datacenter;
  beat.state = wire::ServerState::kDraining;
  cluster.step(old.address, ClusterNode::EmbedState{.state = SharedBytes::adopt(wire::encode_heartbeat(beat))});
  cluster.run_for(30s);
  EXPECT_NE(primary(worker), old);
  EXPECT_EQ(member(worker, old).state, MemberState::kAlive);
}

// proves part: AD35-RTT-7 (the choice of a manager; jobs are not routed between datacenters yet)
TEST_F(PrimaryManagersTest, WorkerLeavesManagerThatOnlyOthersHear) {
  start();
  const wire::NodeIdentity silent = primary(worker);
  cluster.drop = [&](const SmallCluster::Packet& packet) {
    return packet.from == silent.address && packet.to == worker.address;
  };
  cluster.run_for(120s);
  EXPECT_NE(primary(worker), silent);
  EXPECT_TRUE(cluster.told<ClusterNode::MemberDown>(worker.address).empty()) << "its news are old, and it lives";
}

// What a slow node hears late is not the manager's fault.
// proves part: AD35-RTT-7 (the choice of a manager; jobs are not routed between datacenters yet)
TEST_F(PrimaryManagersTest, AWorkerThatIsSlowItselfBearsOlderNews) {
  start();
  const wire::NodeIdentity silent = primary(worker);
  cluster.drop = [&](const SmallCluster::Packet& packet) {
    return packet.from == silent.address && packet.to == worker.address;
  };
  for (Duration passed{}; passed < 150s; passed += 500ms) {
    cluster.step(worker.address, ClusterNode::LoopLag{.late = 5s, .period = 1s});
    cluster.run_for(500ms);
  }
  EXPECT_EQ(primary(worker), silent) << "its patience is three times a minute";
  cluster.run_for(120s);
  EXPECT_NE(primary(worker), silent);
}

// Its last news are not old yet: that it does not answer probes is enough.
// proves part: AD35-RTT-7 (the choice of a manager; jobs are not routed between datacenters yet)
TEST_F(PrimaryManagersTest, AWorkerTurnsAwayFromAManagerThatIsSuspected) {
  start();
  const wire::NodeIdentity silent = primary(worker);
  cluster.remove(silent.address);
  for (int i = 0; i < 3'000 && member(worker, silent).state == MemberState::kAlive; ++i) cluster.run_for(10ms);
  cluster.run_for(2s);
  ASSERT_EQ(member(worker, silent).state, MemberState::kSuspect);
  EXPECT_NE(primary(worker), silent);
  EXPECT_EQ(primary(worker).datacenter, "dc1");
}

// One coordinate system: what moves a peer moves its suspicion timeout and its rank.
// proves part: AD35-VIV-10 (timeouts and the choice of a manager; jobs are not routed between datacenters yet)
// proves part: AD35-SC-6 (timeouts and the choice of a manager; jobs are not routed between datacenters yet)
TEST_F(PrimaryManagersTest, TheSameCoordinatesMoveTimeoutsAndTheChoice) {
  std::set<wire::NodeAddress> far{managers[1].address, managers[2].address};
  cluster.delay = [&](const SmallCluster::Packet& packet) {  // two places, 40 ms apart and back
    return far.contains(packet.from) != far.contains(packet.to) ? Duration(20ms) : SmallCluster::kDelay;
  };
  start();
  cluster.run_for(300s);
  EXPECT_EQ(primary(gate), managers[0]);
  const Duration near_before = member(gate, managers[0]).suspicion_timeout;
  const Duration far_before = member(gate, managers[1]).suspicion_timeout;
  EXPECT_GT(far_before, 2 * near_before);
  far = {managers[0].address, managers[2].address};
  cluster.run_for(600s);
  EXPECT_EQ(primary(gate), managers[1]);
  EXPECT_EQ(changes(gate).back().reason, ChoiceReason::kImproved);
  EXPECT_GT(member(gate, managers[0]).suspicion_timeout, 2 * member(gate, managers[1]).suspicion_timeout);
  EXPECT_GT(member(gate, managers[0]).suspicion_timeout, near_before);
  EXPECT_LT(member(gate, managers[1]).suspicion_timeout, far_before);
}

TEST_F(PrimaryManagersTest, AGateThatDidNotRunHearsTheOthersFirst) {
  start();
  cluster.drop = [&](const SmallCluster::Packet& packet) { return packet.to == gate.address; };
  ClusterNode& node = cluster.at(gate.address);
  const MonoTime later = cluster.now + 300s;
  for (const auto& action : node.step(ClusterNode::Tick{.wall = cluster.wall()}, later))
    EXPECT_FALSE(std::holds_alternative<ClusterNode::PrimaryChanged>(action));
  EXPECT_EQ(node.clear_job("dc1") + node.clear_job("dc2"), 0U) << "nobody is suspected";
}

TEST(ManagerBucket, FollowsWhatTheManagerTells) {
  wire::ManagerHeartbeat beat;
  EXPECT_EQ(bucket_of(beat), HealthBucket::kDegraded) << "it synchronises";
  beat.state = wire::ServerState::kActive;
  EXPECT_EQ(bucket_of(beat), HealthBucket::kHealthy);
  beat.active_workflows = 3;
  EXPECT_EQ(bucket_of(beat), HealthBucket::kBusy) << "not a core is free";
  beat.available_cores = 1;
  EXPECT_EQ(bucket_of(beat), HealthBucket::kHealthy);
  beat.state = wire::ServerState::kDraining;
  EXPECT_EQ(bucket_of(beat), HealthBucket::kUnhealthy);
}

}  // namespace
}  // namespace hyperscale::cluster
