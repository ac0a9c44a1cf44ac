// Two datacenters and gates far from each other, with jitter and loss: distances are learnt soon, and nobody is
// suspected for being far.
#include "base/prng.h"
#include "small_cluster.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace hyperscale::cluster {
namespace {

using wire::NodeRole;

struct Way {  // one way between the two places
  Duration least;
  Duration most;
  double loss;  // of all packets
};

std::string way_name(const testing::TestParamInfo<Way>& info) {
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(info.param.least).count();
  return fmt::format("{}ms{}", milliseconds, info.param.loss > 0 ? "_with_loss" : "");
}

class WideNetwork : public testing::TestWithParam<Way> {
 protected:
  void start() {
    const Way way = GetParam();
    cluster.delay = [this, way](const SmallCluster::Packet& packet) {
      const bool far = place_of(packet.from) != place_of(packet.to);
      return far ? prng.between(way.least, way.most) : prng.between(900us, 1100us);
    };
    cluster.drop = [this, way](const SmallCluster::Packet&) { return prng.unit() < way.loss; };
    for (const auto& node : nodes) add(node);
  }
  void add(const wire::NodeIdentity& node) {
    ClusterConfig config = config_of(node, node.role == NodeRole::kGate ? 2 : 3);
    for (const auto& seed : nodes)
      if (wire::related(node, seed)) config.seeds.push_back(seed.address);
    cluster.add(std::move(config));
  }
  // The last byte of an address is the number: up to 9 in the first place, above in the other.
  static int place_of(const wire::NodeAddress& address) { return address.ip[15] < 10 ? 1 : 2; }
  ClusterView view(const wire::NodeIdentity& node) { return cluster.at(node.address).view(cluster.now); }

  Prng prng{42};
  SmallCluster cluster;
  const std::vector<wire::NodeIdentity> nodes{
      identity(NodeRole::kGate, 1, ""),        identity(NodeRole::kGate, 11, ""),
      identity(NodeRole::kManager, 1, "dc1"),  identity(NodeRole::kManager, 2, "dc1"),
      identity(NodeRole::kManager, 3, "dc1"),  identity(NodeRole::kManager, 11, "dc2"),
      identity(NodeRole::kManager, 12, "dc2"), identity(NodeRole::kManager, 13, "dc2")};
};

// The second way is longer than a probe waits anywhere near: only who knows the distance waits long enough.
// proves: AD35-SC-1
TEST_P(WideNetwork, FalseSuspicionsAcrossSitesStayBelow1Percent) {
  start();
  cluster.run_for(600s);
  std::uint64_t suspicions = 0;
  std::uint64_t probes = 0;
  for (const auto& node : nodes) {
    for (const auto& entry : cluster.at(node.address).audit()) {
      const bool own = entry.event == membership::AuditEvent::kSuspected && !entry.heard_by_gossip;
      if (own && place_of(entry.subject) != place_of(node.address)) ++suspicions;
    }
    // Each probes its peers in turn, so as many across as it has there.
    const ClusterView now = view(node);
    const auto across = std::ranges::count_if(now.members, [&](const MemberView& member) {
      return place_of(member.identity.address) != place_of(node.address);
    });
    probes += now.stats.membership.probes_sent * static_cast<std::uint64_t>(across) / now.members.size();
    EXPECT_TRUE(cluster.told<ClusterNode::MemberDown>(node.address).empty()) << node.name;
  }
  EXPECT_GT(probes, 1'000U);
  EXPECT_LT(static_cast<double>(suspicions), 0.01 * static_cast<double>(probes)) << suspicions << " of " << probes;
}

INSTANTIATE_TEST_SUITE_P(Ways, WideNetwork, testing::Values(Way{60ms, 66ms, 0.02}, Way{550ms, 580ms, 0}), way_name);

class Newcomer : public WideNetwork {};

// Nobody knows where it is, and everybody moves.
// proves: AD35-VIV-1, AD35-VIV-6
// proves part: AD35-SC-4 (a mean below 20 % on a grid; not: in a cluster, nor what converged promises)
TEST_P(Newcomer, FreshClusterConvergesWithinTwentySeconds) {
  start();
  cluster.run_for(20s);
  for (const auto& node : nodes) {
    const ClusterView now = view(node);
    EXPECT_EQ(now.stats.membership.convergence_time_s.total(), 1U) << node.name;
    ASSERT_TRUE(now.coordinate) << node.name;
    EXPECT_LT(now.coordinate->relative_error, 0.25) << node.name << " is still near it";
  }
}

// proves part: AD35-OBS-1 (names, kinds, log lines, most counts; not: success counted only where it was asked)
// proves: AD35-VIV-6
// proves part: AD35-SC-4 (a mean below 20 % on a grid; not: in a cluster, nor what converged promises)
TEST_P(Newcomer, ConvergesInRunningClusterWithinTwentySeconds) {
  start();
  cluster.run_for(300s);
  for (const std::uint8_t number : {5, 15}) {
    const auto newcomer = identity(NodeRole::kManager, number, number < 10 ? "dc1" : "dc2");
    add(newcomer);
    cluster.run_for(20s);
    const ClusterView now = view(newcomer);
    EXPECT_EQ(now.stats.membership.convergence_time_s.total(), 1U);
    EXPECT_GT(now.stats.membership.convergence_time_s.sum, 0);
    EXPECT_LE(now.stats.membership.convergence_time_s.sum, 20);
    EXPECT_GT(now.stats.membership.prediction_error_ms.total(), 10U);
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, Newcomer, testing::Values(Way{60ms, 66ms, 0}, Way{20ms, 22ms, 0.01}, Way{5ms, 6ms, 0}),
                         way_name);

}  // namespace
}  // namespace hyperscale::cluster
