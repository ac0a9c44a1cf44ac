#include "sim/cluster/cluster_directory.h"

#include <set>

#include <gtest/gtest.h>

namespace hyperscale::sim {
namespace {

TEST(ClusterDirectory, EverybodyHasAnAddressOfItsOwn) {
  const ClusterDirectory directory({.gates = 3, .datacenters = 2, .managers = 3, .workers = 600});
  std::set<wire::NodeAddress> addresses;
  for (HostId host = 0; host < directory.size(); ++host) {
    addresses.insert(directory.address(host));
    EXPECT_EQ(directory.host(directory.address(host)), host);
    EXPECT_EQ(directory.host_named(directory.identity(host).name), host);
  }
  EXPECT_EQ(addresses.size(), directory.size());
  EXPECT_EQ(directory.host(directory.address(kStrangerFirst + 3)), kStrangerFirst);
}

TEST(ClusterDirectory, GatesVoteTogetherAndManagersInTheirDatacenter) {
  const ClusterDirectory directory(Topology{});
  const auto group = [&](const char* name) { return directory.group(*directory.host_named(name)); };
  EXPECT_EQ(group("gate1"), group("gate3"));
  EXPECT_EQ(group("dc1-manager1"), group("dc1-manager2"));
  EXPECT_NE(group("dc1-manager1"), group("dc2-manager1"));
  EXPECT_EQ(group("dc1-worker1"), std::nullopt);
  EXPECT_EQ(directory.group_sizes().size(), 3);
}

TEST(ClusterDirectory, SeedsAreSomebodyThatAnswers) {
  const ClusterDirectory directory(Topology{});
  for (HostId host = 0; host < directory.size(); ++host) {
    EXPECT_FALSE(directory.seeds(host).empty()) << directory.identity(host).name;
    for (const HostId seed : directory.seeds(host)) EXPECT_TRUE(directory.related(host, seed));
  }
}

}  // namespace
}  // namespace hyperscale::sim
