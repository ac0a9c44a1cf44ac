#include "one_election.h"

#include <gtest/gtest.h>

namespace hyperscale::election {
namespace {

// proves: AD3-1
TEST(Quorum, IsAMajorityOfTheConfiguredSize) {
  const std::pair<std::size_t, std::size_t> table[] = {{1, 1}, {2, 2}, {3, 2}, {4, 3}, {5, 3}, {6, 4}, {7, 4}};
  for (const auto& [size, quorum] : table) {
    OneElection one(config_of(kA, size));
    EXPECT_EQ(one.core.quorum_size(), quorum) << size;
    if (size >= 2) one.step(Election::PeerUp{kB});
    EXPECT_EQ(one.core.quorum_size(), quorum) << "whoever is alive";
  }
}

// proves: AD3-2
// proves part: AD31-5 (votes, workers of jobs, state sync; not the count of workers, not primary managers)
TEST(Quorum, AvailabilityCountsThisNodeAndTheLiving) {
  OneElection one(config_of(kA, 5));
  EXPECT_FALSE(one.core.has_quorum_available());
  one.step(Election::PeerUp{kB});
  one.step(Election::PeerUp{kB});
  EXPECT_FALSE(one.core.has_quorum_available());
  one.step(Election::PeerUp{kC});
  EXPECT_TRUE(one.core.has_quorum_available());
  one.step(Election::PeerDown{kB});
  EXPECT_FALSE(one.core.has_quorum_available());
  one.step(Election::PeerDown{kB});
  EXPECT_EQ(one.core.voters().active_peers(), 1U) << "told of the same death again";
  one.step(Election::PeerUp{kB});
  EXPECT_TRUE(one.core.has_quorum_available());
}

// proves: AD6-1
TEST(Quorum, PeersAreKnownByBothAddressesAndByLiveness) {
  OneElection one(config_of(kA));
  wire::NodeIdentity peer = kB;
  peer.tcp_port = 7300;
  one.step(Election::PeerUp{peer});
  const Voters& voters = one.core.voters();
  ASSERT_EQ(voters.seats().size(), 2U);
  EXPECT_EQ(voters[1].node.address, kB.address);
  EXPECT_EQ(voters[1].node.tcp_port, 7300);
  EXPECT_EQ(voters.active_peers(), 1U);
  wire::NodeIdentity other = kC;
  other.tcp_port = 7400;
  one.step(Election::PeerUp{other});
  ASSERT_EQ(voters.seats().size(), 3U);
  EXPECT_EQ(voters[2].node.address, kC.address);
  EXPECT_EQ(voters[2].node.tcp_port, 7400);
  EXPECT_EQ(voters.active_peers(), 2U);
  one.step(Election::PeerDown{peer});
  EXPECT_EQ(voters.active_peers(), 1U);
  EXPECT_FALSE(voters[1].up);
  EXPECT_TRUE(voters[2].up) << "the other one lives";
  EXPECT_EQ(voters[1].node.tcp_port, 7300);
}

// proves: LEAD-10
TEST(Quorum, TimingsScaleTogether) {
  const Timing lan = Timing::scaled_to(200ms);
  const Timing standard;
  EXPECT_EQ(Timing::scaled_to(1s).lease, standard.lease);
  EXPECT_EQ(Timing::scaled_to(1s).resend_interval, standard.resend_interval);
  EXPECT_EQ(Timing::scaled_to(1s).rank_slot, standard.rank_slot);
  EXPECT_EQ(lan.lease * 5, standard.lease);
  EXPECT_EQ(election_time_max(lan).count() / 1000, election_time_max(standard).count() / 5 / 1000);
}

}  // namespace
}  // namespace hyperscale::election
