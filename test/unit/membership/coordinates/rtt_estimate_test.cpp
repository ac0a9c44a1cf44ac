#include "membership/coordinates/rtt_estimate.h"

#include "coordinate_world.h"

#include <gtest/gtest.h>

namespace hyperscale::membership {
namespace {

constexpr MonoTime kNow = MonoTime::from_ns(1'000'000'000'000);

StoredCoordinate stored(std::uint32_t samples, float error_ms, Duration age, float x = 40) {
  StoredCoordinate out{place(x, 0.1F, samples), kNow - age};
  out.coordinate.error_ms = error_ms;
  return out;
}

double quality(std::uint32_t samples, float error_ms, Duration age) {
  const auto coordinate = stored(samples, error_ms, age);
  return coordinate_quality(&coordinate, kNow, {});
}

// proves: AD35-RTT-1, AD35-RTT-3
TEST(CoordinateQuality, IsTheProductOfSamplesErrorAndAge) {
  EXPECT_DOUBLE_EQ(quality(10, 20, 300s), 1.0);
  EXPECT_DOUBLE_EQ(quality(100, 0, 0s), 1.0);
  EXPECT_DOUBLE_EQ(quality(5, 20, 0s), 0.5);
  EXPECT_DOUBLE_EQ(quality(10, 40, 0s), 0.5);
  EXPECT_DOUBLE_EQ(quality(10, 20, 600s), 0.5);
  EXPECT_DOUBLE_EQ(quality(5, 40, 600s), 0.125);
  EXPECT_DOUBLE_EQ(coordinate_quality(nullptr, kNow, {}), 0);
  RttConfig strict;
  strict.error_good_ms = 0.5;
  const auto exact = stored(10, 0, 0s);
  EXPECT_DOUBLE_EQ(coordinate_quality(&exact, kNow, strict), 0.5) << "no error is below a millisecond";
}

// proves: AD35-RTT-1
TEST(RttEstimate, BoundIsDistancePlusTwoSigma) {
  const auto remote = stored(10, 4, 0s);
  const auto local = place(0);  // error 1 ms
  const auto estimate = estimate_rtt(&local, &remote, kNow, {});
  EXPECT_TRUE(estimate.known);
  EXPECT_NEAR(estimate.rtt_ms, 40.02, 1e-4);
  EXPECT_DOUBLE_EQ(estimate.sigma_ms, 5);
  EXPECT_NEAR(estimate.ucb_ms, 50.02, 1e-4);
  EXPECT_DOUBLE_EQ(estimate.quality, 1);
}

// proves: AD35-RTT-1
// proves part: AD35-RTT-4 (peers; not datacenters)
TEST(RttEstimate, SigmaAndBoundAreKeptWithinLimits) {
  auto local = place(0);
  auto remote = stored(10, 0, 0s, 0);
  local.error_ms = 0;
  EXPECT_DOUBLE_EQ(estimate_rtt(&local, &remote, kNow, {}).sigma_ms, 1);
  local.error_ms = 400;
  remote.coordinate.error_ms = 400;
  EXPECT_DOUBLE_EQ(estimate_rtt(&local, &remote, kNow, {}).sigma_ms, 500);
  EXPECT_NEAR(estimate_rtt(&local, &remote, kNow, {}).ucb_ms, 1'000.02, 1e-4);
  remote.coordinate.position[0] = 10'000;
  EXPECT_DOUBLE_EQ(estimate_rtt(&local, &remote, kNow, {}).ucb_ms, 10'000);
  RttConfig exact;
  exact.k_sigma = 0;
  remote.coordinate.position[0] = 0;
  EXPECT_DOUBLE_EQ(estimate_rtt(&local, &remote, kNow, exact).ucb_ms, 1);
}

// proves: AD35-RTT-3, AD35-VIV-9
TEST(RttEstimate, AMissingCoordinateGivesConservativeDefaults) {
  const auto local = place(0);
  const auto remote = stored(10, 1, 0s);
  const auto unmeasured = place(5, 1.5F, 0);
  const auto untold = stored(0, 1, 0s);
  const RttEstimate defaults = {.rtt_ms = 100, .sigma_ms = 50, .ucb_ms = 200, .quality = 0, .known = false};
  EXPECT_EQ(estimate_rtt(&local, nullptr, kNow, {}), defaults);
  EXPECT_EQ(estimate_rtt(nullptr, &remote, kNow, {}), defaults);
  EXPECT_EQ(estimate_rtt(&unmeasured, &remote, kNow, {}), defaults) << "a place that was never measured is none";
  EXPECT_EQ(estimate_rtt(&local, &untold, kNow, {}), defaults);
}

}  // namespace
}  // namespace hyperscale::membership
