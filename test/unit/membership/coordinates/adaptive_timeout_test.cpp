#include "membership/coordinates/adaptive_timeout.h"

#include <gtest/gtest.h>

namespace hyperscale::membership {
namespace {

double seconds(double rtt_ms, double load, double error) {
  return static_cast<double>(adaptive_timeout(rtt_ms, load, error, {}).timeout.count()) / 1e9;
}

// proves: AD35-TMO-2
TEST(AdaptiveTimeout, WorkedValuesOfTheCatalogue) {
  EXPECT_NEAR(seconds(5, 1.0, 0.5), 5.25, 1e-6);
  EXPECT_NEAR(seconds(50, 1.0, 0.8), 27.0, 1e-6);
  EXPECT_NEAR(seconds(100, 1.2, 1.2), 67.2, 1e-6);
  EXPECT_NEAR(seconds(200, 1.5, 1.5), 86.25, 1e-6);
  EXPECT_NEAR(seconds(2, 2.5, 1.0), 13.75, 1e-6);
}

// proves part: AD35-TMO-1 (not where a host refuses packets, nor for a death that nobody suspected)
TEST(AdaptiveTimeout, TellsItsFactors) {
  const auto far = adaptive_timeout(500, 2, 1, {});
  EXPECT_DOUBLE_EQ(far.latency_multiplier, 10);
  EXPECT_DOUBLE_EQ(far.load_multiplier, 2);
  EXPECT_DOUBLE_EQ(far.confidence_adjustment, 1.1);
}

// proves: AD35-TMO-3
TEST(AdaptiveTimeout, AnUnsureNodeWaitsLonger) {
  EXPECT_GT(seconds(50, 1, 1.5), seconds(50, 1, 0.2));
}

TEST(AdaptiveTimeout, IsCappedAndScales) {
  EXPECT_DOUBLE_EQ(seconds(10'000, 10, 1.5), 300);
  const auto lan = AdaptiveTimeoutConfig::scaled_to(200ms);
  EXPECT_EQ(adaptive_timeout(5, 1, 0, lan).timeout, 1s);
  EXPECT_EQ(adaptive_timeout(10'000, 10, 1.5, lan).timeout, 60s);
}

}  // namespace
}  // namespace hyperscale::membership
