#include "membership/coordinates/coordinate_system.h"

#include "coordinate_world.h"

#include <gtest/gtest.h>

namespace hyperscale::membership {
namespace {

using wire::NodeRole;

constexpr MonoTime at(int second) {
  return MonoTime::from_ns(second * 1'000'000'000LL);
}

// proves: AD35-VIV-1
// proves part: AD35-OBS-1 (names, kinds, log lines, most counts; not: success counted only where it was asked)
TEST(CoordinateSystem, ANodeComputesItsOwnPlaceFromWhatItMeasures) {
  CoordinateSystem system({}, Prng(1));
  EXPECT_EQ(system.local().sample_count, 0U);
  EXPECT_EQ(system.observe({node(1), 1, place(30), 80ms}, at(1)), SampleVerdict::kAccepted);
  EXPECT_EQ(system.local().sample_count, 1U);
  EXPECT_NE(system.local().position, (std::array<float, 4>{}));
  EXPECT_EQ(system.peers(), 1U) << "the peer's place is kept as well";
  EXPECT_EQ(system.stats().updates, 1U);
  EXPECT_EQ(system.stats().prediction_error_ms.total(), 1U);
  EXPECT_NEAR(system.stats().prediction_error_ms.sum, 49.98, 1e-3) << "30 and two heights were predicted";
  CoordinateSystem nearer({}, Prng(1));
  EXPECT_EQ(nearer.observe({node(1), 1, place(30), 10ms}, at(1)), SampleVerdict::kAccepted);
  EXPECT_NEAR(nearer.stats().prediction_error_ms.sum, 20.02, 1e-3) << "how far, not in which direction";
}

// proves: AD35-VIV-9
// proves part: AD35-RTT-4 (peers; not datacenters)
TEST(CoordinateSystem, PeerWithoutCoordinateIsMeasured) {
  CoordinateSystem system({}, Prng(1));
  EXPECT_EQ(system.observe({node(1), 1, std::nullopt, 80ms}, at(1)), SampleVerdict::kNoCoordinate);
  EXPECT_EQ(system.measured_rtt(node(1)), 80ms);
  EXPECT_EQ(system.estimate(node(1), at(1)).ucb_ms, 200);
}

// proves part: AD35-RTT-2 (timeouts and the choice of a manager; jobs are not routed between datacenters yet)
TEST(CoordinateSystem, TimeoutsFollowTheBoundAndNotTheRawEstimate) {
  CoordinateSystem system({}, Prng(1));
  std::uint64_t sequence = 0;
  for (int i = 0; i < 200; ++i) {
    wire::Coordinate near = place(0);
    near.error_ms = 15;  // the peer is unsure by 15 ms
    system.observe({node(1), ++sequence, near, 5ms}, at(i));
  }
  const auto estimate = system.estimate(node(1), at(200));
  ASSERT_LT(estimate.rtt_ms, 10) << "the raw estimate would not lengthen the timeout at all";
  ASSERT_GT(estimate.ucb_ms, 30);
  const auto timeout = system.timeout_of(node(1), NodeRole::kManager, 1, at(200));
  EXPECT_DOUBLE_EQ(timeout.latency_multiplier, estimate.ucb_ms / 10);
}

// proves: AD35-ROLE-3
// proves part: AD35-TMO-1 (not where a host refuses packets, nor for a death that nobody suspected)
TEST(CoordinateSystem, WorkersHaveNoTimeoutOfTheirOwn) {
  CoordinateSystem system({}, Prng(1));
  EXPECT_EQ(system.suspicion_timeout(node(1), NodeRole::kWorker, 1, at(1)), std::nullopt);
  EXPECT_TRUE(system.suspicion_timeout(node(1), NodeRole::kGate, 1, at(1)));
  EXPECT_TRUE(system.suspicion_timeout(node(1), NodeRole::kManager, 1, at(1)));
}

// proves: AD35-ROLE-9, AD35-ROLE-3
TEST(CoordinateSystem, LoadIsCappedByTheRole) {
  CoordinateSystem system({}, Prng(1));
  EXPECT_DOUBLE_EQ(system.timeout_of(node(1), NodeRole::kGate, 8, at(1)).load_multiplier, 3);
  EXPECT_DOUBLE_EQ(system.timeout_of(node(1), NodeRole::kManager, 8, at(1)).load_multiplier, 5);
  EXPECT_DOUBLE_EQ(system.timeout_of(node(1), NodeRole::kWorker, 11, at(1)).load_multiplier, 10);
}

TEST(CoordinateSystem, NearQuietPeerIsSuspectedForFiveSeconds) {
  CoordinateWorld world(6, [](std::size_t, std::size_t, int) { return 0.4; }, 3);
  world.run(60);
  const auto timeout = world.systems[0].suspicion_timeout(node(1), NodeRole::kManager, 1, world.now());
  EXPECT_GE(*timeout, 5s);
  EXPECT_LT(*timeout, 5'300ms);
  EXPECT_TRUE(world.systems[0].converged()) << "jitter below a millisecond is no doubt";
}

// proves: AD35-RTT-1
// proves part: AD35-RTT-4 (peers; not datacenters)
TEST(CoordinateSystem, StaleCoordinatesLoseQuality) {
  CoordinateWorld world(6, line, 3);
  world.run(60);
  const auto& system = world.systems[0];
  EXPECT_GT(system.estimate(node(1), world.now()).quality, 0.9);
  EXPECT_LT(system.estimate(node(1), world.now() + 3'000s).quality, 0.2);
  EXPECT_TRUE(system.estimate(node(1), world.now() + 3'000s).known);
}

TEST(CoordinateSystem, ListsItsPeersForAStatusPage) {
  CoordinateSystem system({}, Prng(1));
  system.observe({node(2), 1, place(30), 40ms}, at(1));
  system.observe({node(2), 2, place(30), 42ms}, at(2));
  system.learn(node(1), place(10), at(2));
  const auto rows = system.distances(at(3));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].peer, node(1));
  EXPECT_TRUE(rows[0].measured_ms.empty());
  EXPECT_FALSE(rows[0].prediction_error_ms);
  EXPECT_EQ(rows[1].peer, node(2));
  EXPECT_EQ(rows[1].measured_ms, (std::vector<double>{40, 42}));
  EXPECT_NEAR(*rows[1].prediction_error_ms, std::abs(rows[1].estimate.rtt_ms - 40), 1e-9);
}

TEST(CoordinateSystem, IsBoundedAndForgetsPeersWhole) {
  CoordinateConfig config;
  config.max_peers = 2;
  CoordinateSystem system(config, Prng(1));
  for (std::size_t peer = 0; peer < 10; ++peer) {
    system.observe({node(peer), peer + 1, place(30), 40ms}, at(static_cast<int>(peer)));
  }
  EXPECT_EQ(system.peers(), 2U);
  EXPECT_EQ(system.stats().peers_forgotten, 8U);
  EXPECT_EQ(system.measured_rtt(node(0)), std::nullopt);
  system.forget(node(9));
  EXPECT_EQ(system.peers(), 1U);
  EXPECT_EQ(system.observe({node(9), 1, place(30), 40ms}, at(20)), SampleVerdict::kAccepted)
      << "its numbers begin anew";
}

}  // namespace
}  // namespace hyperscale::membership
