#include "membership/coordinates/peer_coordinates.h"

#include "coordinate_world.h"

#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::membership {
namespace {

constexpr MonoTime at(int second) {
  return MonoTime::from_ns(second * 1'000'000'000LL);
}

TEST(PeerCoordinates, KeepsTheLastOfEachPeer) {
  PeerCoordinates peers;
  peers.store(node(2), place(2), at(1));
  peers.store(node(1), place(1), at(2));
  peers.store(node(2), place(22), at(3));
  ASSERT_NE(peers.find(node(2)), nullptr);
  EXPECT_EQ(peers.find(node(2))->coordinate, place(22));
  EXPECT_EQ(peers.find(node(2))->updated_at, at(3));
  EXPECT_EQ(peers.find(node(3)), nullptr);
  EXPECT_EQ(peers.peers(), (std::vector{node(1), node(2)}));
  peers.forget(node(1));
  peers.forget(node(9));
  EXPECT_EQ(peers.find(node(1)), nullptr);
  EXPECT_EQ(peers.size(), 1U);
}

TEST(PeerCoordinates, IsBoundedAndForgetsWhoWasHeardOfLongestAgo) {
  PeerCoordinates peers(2);
  peers.store(node(1), place(1), at(1));
  peers.store(node(2), place(2), at(2));
  peers.store(node(1), place(1), at(3));
  EXPECT_EQ(peers.store(node(3), place(3), at(4)), node(2));
  EXPECT_EQ(peers.size(), 2U);
  EXPECT_EQ(peers.find(node(2)), nullptr);
  EXPECT_EQ(peers.forgotten(), 1U);
}

// The budget is about 40 bytes a peer for the coordinate; the address it is found by comes on top.
// proves part: AD35-VIV-8 (one stored coordinate; not the address and the measured times beside it)
TEST(PeerCoordinates, AThousandPeersTakeFortyKilobytesOfCoordinates) {
  EXPECT_EQ(sizeof(StoredCoordinate), 40U);
  EXPECT_EQ(sizeof(wire::NodeAddress), 18U);
}

RC_GTEST_PROP(PeerCoordinates, AgreesWithAMap, ()) {
  PeerCoordinates peers;
  std::map<wire::NodeAddress, float> oracle;
  const auto steps = *rc::gen::container<std::vector<std::pair<std::size_t, bool>>>(
      rc::gen::pair(rc::gen::inRange<std::size_t>(0, 12), rc::gen::arbitrary<bool>()));
  float x = 0;
  for (const auto& [peer, keep] : steps) {
    if (keep) {
      peers.store(node(peer), place(++x), at(1));
      oracle[node(peer)] = x;
    } else {
      peers.forget(node(peer));
      oracle.erase(node(peer));
    }
  }
  RC_ASSERT(peers.size() == oracle.size());
  for (const auto& [peer, where] : oracle) RC_ASSERT(peers.find(peer)->coordinate == place(where));
}

}  // namespace
}  // namespace hyperscale::membership
