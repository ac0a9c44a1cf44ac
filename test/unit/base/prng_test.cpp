#include "base/prng.h"

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale {
namespace {

static_assert(std::uniform_random_bit_generator<Prng>);

std::vector<std::uint64_t> draw(Prng prng, std::size_t count) {
  std::vector<std::uint64_t> drawn(count);
  std::generate(drawn.begin(), drawn.end(), [&] { return prng.next(); });
  return drawn;
}

TEST(Prng, KnownAnswersOfTheReferenceImplementation) {
  const std::vector<std::uint64_t> seed_0{0x99ec5f36cb75f2b4, 0xbf6e1f784956452a, 0x1a5f849d4933e6e0,
                                          0x6aa594f1262d2d2c, 0xbba5ad4a1f842e59, 0xffef8375d9ebcaca};
  const std::vector<std::uint64_t> seed_42{0x15780b2e0c2ec716, 0x6104d9866d113a7e, 0xae17533239e499a1,
                                           0xecb8ad4703b360a1, 0xfde6dc7fe2ec5e64, 0xc50da53101795238};
  EXPECT_EQ(draw(Prng(0), 6), seed_0);
  EXPECT_EQ(draw(Prng(42), 6), seed_42);
}

TEST(Prng, StreamsStayTheSameAcrossReleases) {
  const std::vector<std::uint64_t> expected{0x2769b368818379cc, 0x0a733121dcb2cfc7, 0xfb4e7af8abc06cb2};
  EXPECT_EQ(draw(Prng(42).stream("backoff"), 3), expected);
}

TEST(Prng, StreamDependsOnSeedAndNameOnly) {
  Prng root(7);
  const auto before = draw(root.stream("network"), 8);
  for (int i = 0; i < 100; ++i) root.next();
  EXPECT_EQ(draw(root.stream("network"), 8), before);
  EXPECT_NE(draw(root.stream("disk"), 8), before);
  EXPECT_NE(draw(Prng(8).stream("network"), 8), before);
  EXPECT_NE(draw(root.stream(""), 8), draw(Prng(7), 8));
  EXPECT_NE(draw(root.stream("a").stream("b"), 8), draw(root.stream("b").stream("a"), 8));
}

TEST(Prng, BelowStaysBelowAndReachesEveryValueEvenly) {
  Prng prng(1);
  constexpr std::uint64_t kSides = 6;
  constexpr int kDraws = 60'000;
  std::array<int, kSides> seen{};
  for (int i = 0; i < kDraws; ++i) ++seen.at(prng.below(kSides));
  // Five standard deviations of a fair die; the seed is fixed, so this cannot flicker.
  for (const int times : seen) EXPECT_NEAR(times, kDraws / 6, 456);
  EXPECT_EQ(prng.below(1), 0U);
}

TEST(Prng, BelowHasNoBiasWhereTheRangeDoesNotDivide) {
  // For n = 3 * 2^62 a plain modulo hits the lowest third twice as often as the others, and a multiplication without
  // redrawing hits the multiples of three twice as often.
  Prng prng(2);
  constexpr std::uint64_t kThird = std::uint64_t{1} << 62;
  constexpr int kDraws = 30'000;
  int lowest = 0;
  int multiples = 0;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t drawn = prng.below(3 * kThird);
    lowest += drawn < kThird;
    multiples += drawn % 3 == 0;
  }
  EXPECT_NEAR(lowest, kDraws / 3, 410);
  EXPECT_NEAR(multiples, kDraws / 3, 410);
}

TEST(Prng, UnitIsHalfOpen) {
  Prng prng(3);
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double u = prng.unit();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
  }
  EXPECT_NEAR(sum / 10'000, 0.5, 0.015);
}

TEST(Prng, BetweenIncludesBothEnds) {
  Prng prng(4);
  bool low = false;
  bool high = false;
  for (int i = 0; i < 200; ++i) {
    const Duration d = prng.between(-1ns, 2ns);
    ASSERT_TRUE(d >= -1ns && d <= 2ns);
    low |= d == -1ns;
    high |= d == 2ns;
  }
  EXPECT_TRUE(low && high);
  EXPECT_EQ(prng.between(5s, 5s), 5s);
  prng.between(Duration::min(), Duration::max());  // the widest range is one too
}

TEST(PrngDeathTest, EmptyRangesAreBugs) {
  EXPECT_DEATH(Prng(1).below(0), "CHECK failed");
  EXPECT_DEATH(Prng(1).between(2s, 1s), "CHECK failed");
}

}  // namespace
}  // namespace hyperscale
