#include "coordinate_world.h"
#include "sim/bugs/bug_planter.h"

#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::membership {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

CoordinateSystem settled() {
  CoordinateSystem system({}, Prng(1));
  for (std::uint64_t i = 0; i < 60; ++i) {
    const auto peer = i % 3;
    const auto x = static_cast<float>(peer) * 20;
    system.observe({node(peer), i + 1, place(x), ms(std::hypot(x - 20.0, 30))}, MonoTime::from_ns(0) + i * 1s);
  }
  return system;
}

TEST(LyingPeers, NumbersThatAreNoneOrOutOfRangeChangeNothing) {
  std::vector<wire::Coordinate> bad(8, place(10));
  bad[0].position[2] = kNan;
  bad[1].position[0] = kInfinity;
  bad[2].height_ms = kNan;
  bad[3].height_ms = -1;
  bad[4].relative_error = kNan;
  bad[5].error_ms = -kInfinity;
  bad[6].position[3] = 10'001;
  bad[7].height_ms = 10'001;
  CoordinateSystem system = settled();
  const auto before = system.local();
  std::uint64_t sequence = 1'000;
  for (const auto& coordinate : bad) {
    EXPECT_EQ(system.observe({node(9), ++sequence, coordinate, 20ms}, {}), SampleVerdict::kBadCoordinate);
    EXPECT_FALSE(system.learn(node(9), coordinate, {}));
  }
  EXPECT_EQ(system.local(), before);
  EXPECT_FALSE(system.estimate(node(9), {}).known) << "nothing of it is stored";
  EXPECT_EQ(system.stats().refused_coordinate, 2 * bad.size());
}

TEST(LyingPeers, TimesThatCannotBeChangeNothing) {
  CoordinateSystem system = settled();
  const auto before = system.local();
  EXPECT_EQ(system.observe({node(9), 1'000, place(10), -1ns}, {}), SampleVerdict::kBadRtt);
  EXPECT_EQ(system.observe({node(9), 1'001, place(10), 10s + 1ns}, {}), SampleVerdict::kBadRtt);
  EXPECT_EQ(system.local(), before);
  EXPECT_EQ(system.stats().refused_rtt, 2U);
  EXPECT_EQ(system.observe({node(9), 1'002, place(10), 10s}, {}), SampleVerdict::kAccepted);
}

TEST(LyingPeers, AReplayedSampleCountsOnce) {
  CoordinateSystem system = settled();
  EXPECT_EQ(system.observe({node(9), 1'000, place(30), 20ms}, {}), SampleVerdict::kAccepted);
  const auto before = system.local();
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(system.observe({node(9), 1'000, place(30), 20ms}, {}), SampleVerdict::kReplayed);
    EXPECT_EQ(system.observe({node(9), 999, place(90), 80ms}, {}), SampleVerdict::kReplayed);
  }
  EXPECT_EQ(system.local(), before);
  EXPECT_EQ(system.stats().refused_replayed, 200U);
  EXPECT_EQ(system.observe({node(8), 1'000, place(30), 20ms}, {}), SampleVerdict::kAccepted) << "another peer's probe";
}

TEST(LyingPeers, CoordinateThatContradictsRttIsIgnored) {
  CoordinateSystem system = settled();
  ASSERT_TRUE(system.converged());
  const auto before = system.local();
  EXPECT_EQ(system.observe({node(9), 1'000, place(5'000, 0.01F), 20ms}, {}), SampleVerdict::kImplausible);
  EXPECT_EQ(system.local(), before);
  EXPECT_FALSE(system.estimate(node(9), {}).known);
}

TEST(LyingPeers, NodeThatRefusesAllStartsToListenAgain) {
  CoordinateSystem system = settled();
  std::uint64_t sequence = 1'000;
  int refused = 0;
  while (system.observe({node(sequence % 3), ++sequence, place(500), 20ms}, {}) == SampleVerdict::kImplausible)
    ++refused;
  EXPECT_GT(refused, 3);
  EXPECT_LT(refused, 40);
}

TEST(LyingPeers, ImplausibleMessageOfMeasuredPeerIsRefused) {
  CoordinateSystem system = settled();
  EXPECT_FALSE(system.learn(node(1), place(5'000), {}));
  EXPECT_TRUE(system.learn(node(7), place(5'000), {})) << "never measured: only its own estimate suffers";
  EXPECT_EQ(system.stats().refused_implausible, 1U);
}

TEST(LyingPeers, OneSampleMovesANewNodeByALimitedStep) {
  Vivaldi fresh({}, Prng(1));
  EXPECT_EQ(fresh.update(place(9'999, 0), 1ms), SampleVerdict::kImplausible) << "not even one that knows nothing";
  ASSERT_EQ(fresh.update(place(290, 0), 1ms), SampleVerdict::kAccepted) << "it cannot know better yet";
  EXPECT_LT(distance_ms(fresh.coordinate(), wire::Coordinate{}), 26);
}

// Liars say they are up to `far_ms` off on each axis, somewhere else each time, and perfectly sure of it.
double error_with_liars(std::size_t liars, double far_ms, const CoordinateConfig& config = {}) {
  CoordinateWorld world(20, split, 7, config);
  Prng lies(3);
  for (std::size_t i = 0; i < liars; ++i) {
    world.says[i] = [&lies, far_ms](wire::Coordinate coordinate) {
      for (float& axis : coordinate.position) axis = static_cast<float>(far_ms * (2 * lies.unit() - 1));
      coordinate.relative_error = 0;
      coordinate.error_ms = 0;
      return coordinate;
    };
  }
  world.run(200);
  return world.median_error();
}

TEST(LyingPeers, ATenthAndEvenAFifthOfLiarsAreHarmless) {
  EXPECT_LT(error_with_liars(2, 4'000), 0.05);
  EXPECT_LT(error_with_liars(4, 4'000), 0.05);
  EXPECT_LT(error_with_liars(2, 500), 0.15) << "lies nearer to the truth are harder to tell";
  CoordinateConfig mutated;
  mutated.mutations.trust_any_coordinate = BugPlanter::planted();
  EXPECT_GT(error_with_liars(2, 4'000, mutated), 0.50) << "the planted bug is not one";
}

TEST(LyingPeers, AfterTheyAreGoneThePlacesHeal) {
  CoordinateWorld world(20, split, 7);
  for (std::size_t i = 0; i < 8; ++i) {
    world.says[i] = [](wire::Coordinate) { return place(3'000, 0); };
  }
  world.run(100);
  for (auto& liar : world.says) liar = nullptr;
  world.run(150);
  EXPECT_LT(world.median_error(), 0.20);
}

RC_GTEST_PROP(LyingPeers, NothingAPeerSaysMakesACoordinateUnsound, ()) {
  CoordinateSystem system({}, Prng(*rc::gen::arbitrary<std::uint64_t>()));
  const auto steps = *rc::gen::inRange(1, 80);
  for (int i = 1; i <= steps; ++i) {
    wire::Coordinate said;
    const auto number = [] {
      return *rc::gen::oneOf(rc::gen::arbitrary<float>(), rc::gen::element(kNan, kInfinity, -kInfinity, 0.F, 9'999.F));
    };
    for (float& axis : said.position) axis = number();
    said.height_ms = number();
    said.relative_error = number();
    said.error_ms = number();
    said.sample_count = *rc::gen::arbitrary<std::uint32_t>();
    const auto before = system.local();
    const Duration rtt(*rc::gen::inRange<Duration::rep>(-1'000'000, 11'000'000'000));
    const auto peer = node(*rc::gen::inRange<std::size_t>(0, 5));
    const auto verdict = system.observe({peer, static_cast<std::uint64_t>(i), said, rtt}, {});
    const auto after = system.local();
    RC_ASSERT(is_sound(after));
    RC_ASSERT((verdict == SampleVerdict::kAccepted || after.position == before.position));
    const auto estimate = system.estimate(peer, {});
    RC_ASSERT((estimate.ucb_ms >= 1 && estimate.ucb_ms <= 10'000));
    RC_ASSERT((estimate.quality >= 0 && estimate.quality <= 1));
  }
}

}  // namespace
}  // namespace hyperscale::membership
