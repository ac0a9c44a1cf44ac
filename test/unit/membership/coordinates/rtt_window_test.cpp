#include "membership/coordinates/rtt_window.h"

#include <gtest/gtest.h>

namespace hyperscale::membership {
namespace {

static_assert(sizeof(RttWindow) == 24);

TEST(RttWindow, TheMedianOfTheLastThreeIgnoresOneLatePacket) {
  RttWindow window;
  EXPECT_TRUE(window.empty());
  window.add(1, 10ms);
  EXPECT_EQ(window.median(), 10ms);
  window.add(2, 500ms);
  EXPECT_EQ(window.median(), 10ms) << "of two the smaller";
  window.add(3, 12ms);
  EXPECT_EQ(window.median(), 12ms);
  window.add(4, 600ms);
  EXPECT_EQ(window.median(), 500ms) << "two late ones of three are the path";
  EXPECT_EQ(window.samples_ms(), (std::vector<double>{500, 12, 600}));
}

TEST(RttWindow, OnlyNewerProbesCount) {
  RttWindow window;
  EXPECT_TRUE(window.add(0, 10ms)) << "the first may have any number";
  EXPECT_FALSE(window.add(0, 90ms));
  EXPECT_TRUE(window.add(5, 10ms));
  EXPECT_FALSE(window.add(4, 90ms));
  EXPECT_EQ(window.samples_ms().size(), 2U);
}

}  // namespace
}  // namespace hyperscale::membership
