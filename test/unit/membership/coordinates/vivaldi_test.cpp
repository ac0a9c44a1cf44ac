#include "membership/coordinates/vivaldi.h"

#include "coordinate_world.h"

#include <gtest/gtest.h>

namespace hyperscale::membership {
namespace {

TEST(Vivaldi, StartsAtTheOriginWithoutConfidence) {
  const auto start = Vivaldi({}, Prng(1)).coordinate();
  EXPECT_EQ(start.position, (std::array<float, 4>{}));
  EXPECT_FLOAT_EQ(start.height_ms, 0.01F);
  EXPECT_FLOAT_EQ(start.relative_error, 1.5F);
  EXPECT_EQ(start.sample_count, 0U);
}

// proves part: AD35-VIV-4 (measuring, moving, storing; an unsure node also fits again what it measured before)
TEST(Vivaldi, OneUpdateMovesAlongTheLineByTheMiss) {
  VivaldiConfig config;
  config.unsure_boost = 0;
  config.height_min_ms = 0;
  config.height_initial_ms = 0;
  Vivaldi vivaldi(config, Prng(1));
  wire::Coordinate peer = place(10, 1.5F);
  peer.height_ms = 0;
  ASSERT_EQ(vivaldi.update(peer, 18ms), SampleVerdict::kAccepted);
  // Predicted 10, measured 18, weight a half, cc a quarter: 1 ms away from the peer.
  EXPECT_NEAR(vivaldi.coordinate().position[0], -1, 1e-4);
  EXPECT_NEAR(vivaldi.coordinate().position[1], 0, 1e-6);
  // Relative miss 8 / 18, share ce * w = 1/8.
  EXPECT_NEAR(vivaldi.relative_error(), 1.5 * 7 / 8 + 8.0 / 18 / 8, 1e-6);
  EXPECT_NEAR(vivaldi.error_ms(), 50 + 0.25 * (8 - 50), 1e-6);
  EXPECT_EQ(vivaldi.coordinate().sample_count, 1U);

  ASSERT_EQ(vivaldi.update(peer, 3ms), SampleVerdict::kAccepted);
  EXPECT_GT(vivaldi.coordinate().position[0], -1) << "nearer than predicted: towards it";
}

TEST(Vivaldi, TheSurerPeerMovesTheOtherFurther) {
  const auto moved = [](float error) {
    Vivaldi vivaldi({}, Prng(1));
    vivaldi.update(place(10, error), 50ms);
    return -vivaldi.coordinate().position[0];
  };
  EXPECT_GT(moved(0.05F), moved(0.5F));
  EXPECT_GT(moved(0.5F), moved(1.5F));
}

TEST(Vivaldi, CoincidingPlacesPartInADirectionOfTheSeed) {
  const auto parted = [](std::uint64_t seed) {
    Vivaldi vivaldi({}, Prng(seed));
    vivaldi.update(wire::Coordinate{}, 40ms);
    return vivaldi.coordinate();
  };
  EXPECT_EQ(parted(1), parted(1));
  EXPECT_NE(parted(1), parted(2));
  EXPECT_GT(distance_ms(parted(1), wire::Coordinate{}), 5);
}

TEST(Vivaldi, ATimeOfZeroIsATime) {
  Vivaldi vivaldi({}, Prng(1));
  EXPECT_EQ(vivaldi.update(wire::Coordinate{}, 0ns), SampleVerdict::kAccepted);
  EXPECT_TRUE(is_sound(vivaldi.coordinate()));
}

TEST(Vivaldi, FarOutEverybodyIsPulledBack) {
  Vivaldi vivaldi({}, Prng(1));
  // The peer runs away for ever, always a little further than predicted.
  for (int i = 0; i < 20'000; ++i) {
    wire::Coordinate peer = vivaldi.coordinate();
    peer.position[0] -= 1;
    peer.relative_error = 0.01F;
    vivaldi.update(peer, 60ms);
  }
  EXPECT_LT(distance_ms(vivaldi.coordinate(), wire::Coordinate{}), 5'000);
}

// proves: AD35-VIV-5, AD35-VIV-7
TEST(Vivaldi, DistanceIsALinePlusBothHeights) {
  wire::Coordinate a = place(3);
  wire::Coordinate b = place(0);
  b.position[1] = 4;
  a.height_ms = 2;
  b.height_ms = 0.5F;
  EXPECT_NEAR(distance_ms(a, b), 7.5, 1e-6);
  EXPECT_NEAR(distance_ms(b, a), 7.5, 1e-6);
}

}  // namespace
}  // namespace hyperscale::membership
