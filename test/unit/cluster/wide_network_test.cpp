// Two datacenters and gates far from each other, with jitter and loss: distances are learnt soon, and nobody is
// suspected for being far.
#include "base/prng.h"
#include "small_cluster.h"

#include <gtest/gtest.h>

namespace hyperscale::cluster {
namespace {

using wire::NodeRole;

class WideNetwork : public testing::Test {
 protected:
  // 60 ms one way between two places, 1 ms within one, a little jitter; `loss` of all packets is lost.
  void start(Duration probe_interval, double loss) {
    cluster.delay = [this](const SmallCluster::Packet& packet) {
      const bool far = place_of(packet.from) != place_of(packet.to);
      return far ? prng.between(60ms, 66ms) : prng.between(800us, 1200us);
    };
    cluster.drop = [this, loss](const SmallCluster::Packet&) { return prng.unit() < loss; };
    for (const auto& node : nodes) {
      ClusterConfig config = config_of(node, node.role == NodeRole::kGate ? 2 : 3);
      config.probe_interval = probe_interval;
      for (const auto& seed : nodes)
        if (wire::related(node, seed)) config.seeds.push_back(seed.address);
      cluster.add(std::move(config));
    }
  }
  // The third byte of an address is the role, the last the number: 1 and up in the first place, 11 and up in the other.
  static int place_of(const wire::NodeAddress& address) { return address.ip[15] < 10 ? 1 : 2; }
  membership::Counters counters(const wire::NodeIdentity& node) {
    return cluster.at(node.address).view(cluster.now).stats.membership;
  }

  Prng prng{42};
  SmallCluster cluster;
  const std::vector<wire::NodeIdentity> nodes{
      identity(NodeRole::kGate, 1, ""),        identity(NodeRole::kGate, 11, ""),
      identity(NodeRole::kManager, 1, "dc1"),  identity(NodeRole::kManager, 2, "dc1"),
      identity(NodeRole::kManager, 3, "dc1"),  identity(NodeRole::kManager, 11, "dc2"),
      identity(NodeRole::kManager, 12, "dc2"), identity(NodeRole::kManager, 13, "dc2")};
};

// A probe interval of a LAN, whose plain timeout is shorter than the way to the other datacenter and back.
// proves: AD35-SC-1
TEST_F(WideNetwork, FewerThanOneInAHundredProbesAcrossDatacentersEndInAFalseSuspicion) {
  start(200ms, 0.01);
  cluster.run_for(300s);
  std::uint64_t suspicions = 0;
  std::uint64_t probes = 0;
  for (const auto& node : nodes) {
    for (const auto& entry : cluster.at(node.address).audit()) {
      const bool own = entry.event == membership::AuditEvent::kSuspected && !entry.heard_by_gossip;
      if (own && place_of(entry.subject) != place_of(node.address)) ++suspicions;
    }
    // Each probes its peers in turn, so as many across as it has there.
    std::uint64_t across = 0;
    std::uint64_t all = 0;
    for (const MemberView& member : cluster.at(node.address).view(cluster.now).members) {
      ++all;
      if (place_of(member.identity.address) != place_of(node.address)) ++across;
    }
    if (all > 0) probes += counters(node).probes_sent * across / all;
    EXPECT_TRUE(cluster.told<ClusterNode::MemberDown>(node.address).empty()) << node.name;
  }
  EXPECT_GT(probes, 2'000U);
  EXPECT_LT(static_cast<double>(suspicions), 0.01 * static_cast<double>(probes)) << suspicions << " of " << probes;
}

// proves: AD35-SC-4
TEST_F(WideNetwork, EveryCoordinateHasConvergedWithinTwentySecondsOfItsStart) {
  start(1s, 0);
  cluster.run_for(20s);
  for (const auto& node : nodes) {
    const auto view = cluster.at(node.address).view(cluster.now);
    ASSERT_TRUE(view.coordinate) << node.name;
    EXPECT_LT(view.coordinate->relative_error, 0.2F) << node.name;
    EXPECT_EQ(counters(node).convergence_time_s.total(), 1U) << node.name;
    EXPECT_LE(counters(node).convergence_time_s.sum, 20) << node.name;
    EXPECT_GT(counters(node).prediction_error_ms.total(), 0U);
  }
}

}  // namespace
}  // namespace hyperscale::cluster
