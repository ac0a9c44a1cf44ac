#include "realtime/adaptive_backoff.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::realtime {
namespace {

void quiet(AdaptiveBackoff& backoff, int ticks) {
  for (int i = 0; i < ticks; ++i) backoff.update(0, 0);
}

// proves: MURK-TEST-23, MURK-BACK-1, MURK-BACK-2
TEST(AdaptiveBackoff, WidensOnlyAboveTheThreshold) {
  AdaptiveBackoff backoff({});
  EXPECT_EQ(backoff.max_skew(), 2u);
  backoff.update(10, 2);
  EXPECT_EQ(backoff.max_skew(), 2u) << "20 % is not above 20 %";
  backoff.update(10, 3);
  EXPECT_EQ(backoff.max_skew(), 3u) << "25 % of the window";
  backoff.update(10, 3);
  EXPECT_EQ(backoff.max_skew(), 5u) << "4.5, rounded up";
}

// proves: MURK-BACK-1
TEST(AdaptiveBackoff, TheWindowIsTheLastDecayIntervalTicks) {
  AdaptiveBackoff backoff({.decay_interval = 3});
  backoff.update(100, 0);
  backoff.update(2, 1);
  EXPECT_EQ(backoff.max_skew(), 2u) << "1 of 102";
  backoff.update(2, 0);
  EXPECT_DOUBLE_EQ(backoff.rejection_rate(), 1.0 / 104);
  backoff.update(2, 1);
  EXPECT_DOUBLE_EQ(backoff.rejection_rate(), 2.0 / 6) << "the first tick has left the window";
  EXPECT_EQ(backoff.max_skew(), 3u);
}

// proves: MURK-TEST-24, MURK-BACK-2
TEST(AdaptiveBackoff, NeverAboveTheCap) {
  AdaptiveBackoff backoff({});
  std::vector<std::uint64_t> seen;
  for (int i = 0; i < 8; ++i) {
    backoff.update(10, 10);
    seen.push_back(backoff.max_skew());
  }
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{3, 5, 8, 10, 10, 10, 10, 10}));
}

// proves: MURK-TEST-25, MURK-BACK-3
TEST(AdaptiveBackoff, NarrowsByOnePerQuietInterval) {
  AdaptiveBackoff backoff({});
  for (int i = 0; i < 3; ++i) backoff.update(10, 10);
  ASSERT_EQ(backoff.max_skew(), 8u);
  quiet(backoff, 59);
  EXPECT_EQ(backoff.max_skew(), 8u);
  quiet(backoff, 1);
  EXPECT_EQ(backoff.max_skew(), 7u);
  quiet(backoff, 60 * 20);
  EXPECT_EQ(backoff.max_skew(), 2u) << "never below the initial value";
}

TEST(AdaptiveBackoff, ABurstThatIsOverIsForgotten) {
  AdaptiveBackoff backoff({});
  backoff.update(10, 5);
  EXPECT_EQ(backoff.max_skew(), 3u) << "one stale tick widens once, however long it stays in the window";
  for (int tick = 0; tick < 60; ++tick) {
    ASSERT_EQ(backoff.max_skew(), 3u);
    backoff.update(0, 0);
  }
  for (int tick = 0; tick < 600; ++tick) {
    ASSERT_EQ(backoff.max_skew(), 2u);
    backoff.update(0, 0);
  }
}

// proves: MURK-BACK-7
TEST(AdaptiveBackoff, EveryParameterCounts) {
  const BackoffConfig config{.initial_max_skew = 4,
                             .backoff_factor = 2,
                             .max_skew_cap = 12,
                             .decay_interval = 2,
                             .rejection_rate_threshold = 0.5};
  AdaptiveBackoff backoff(config);
  EXPECT_EQ(backoff.max_skew(), 4u);
  backoff.update(10, 5);
  EXPECT_EQ(backoff.max_skew(), 4u);
  backoff.update(10, 6);
  EXPECT_EQ(backoff.max_skew(), 8u);
  backoff.update(10, 10);
  EXPECT_EQ(backoff.max_skew(), 12u);
  quiet(backoff, 2);
  EXPECT_EQ(backoff.max_skew(), 11u);
}

TEST(AdaptiveBackoff, RefusesNonsense) {
  EXPECT_TRUE(validate(BackoffConfig{}));
  EXPECT_FALSE(validate(BackoffConfig{.backoff_factor = 0.9}));
  EXPECT_FALSE(validate(BackoffConfig{.backoff_factor = std::numeric_limits<double>::infinity()}));
  EXPECT_FALSE(validate(BackoffConfig{.backoff_factor = std::nan("")}));
  EXPECT_FALSE(validate(BackoffConfig{.decay_interval = 0}));
  EXPECT_FALSE(validate(BackoffConfig{.rejection_rate_threshold = 1.1}));
  EXPECT_FALSE(validate(BackoffConfig{.rejection_rate_threshold = std::nan("")}));
  EXPECT_FALSE(validate(BackoffConfig{.initial_max_skew = 11}));
}

// proves: MURK-BACK-2, MURK-BACK-3
RC_GTEST_PROP(AdaptiveBackoffProperty, StaysBetweenInitialAndCap, ()) {
  AdaptiveBackoff backoff({.decay_interval = *rc::gen::inRange<std::uint64_t>(1, 20)});
  for (const auto& [total, stale] : *rc::gen::arbitrary<std::vector<std::pair<std::uint8_t, std::uint8_t>>>()) {
    backoff.update(std::uint64_t{total} + stale, stale);
    RC_ASSERT(backoff.max_skew() >= 2u && backoff.max_skew() <= 10u);
  }
}

// 50 senders at 120 commands a second into 60 ticks a second; at a degraded rate their basis lags by 0 to 12 ticks. The
// share of rejections per window of 60 ticks must not swing.
// proves: MURK-TEST-15, MURK-BACK-6
TEST(AdaptiveBackoff, RejectionsDoNotOscillate) {
  AdaptiveBackoff backoff({});
  std::vector<double> rates;
  std::uint32_t seed = 1;
  for (int window = 0; window < 10; ++window) {
    double total = 0, rejected = 0;
    for (int tick = 0; tick < 60; ++tick) {
      std::uint64_t stale = 0;
      for (int command = 0; command < 100; ++command) {
        seed = seed * 1664525 + 1013904223;
        if ((seed >> 16) % 13 > backoff.max_skew()) ++stale;
      }
      backoff.update(100, stale);
      total += 100;
      rejected += static_cast<double>(stale);
    }
    rates.push_back(rejected / total);
  }
  const double mean = std::accumulate(rates.begin(), rates.end(), 0.0) / 10;
  double variance = 0;
  for (const double rate : rates) variance += (rate - mean) * (rate - mean) / 10;
  EXPECT_GT(mean, 0.10) << "otherwise the test does not bite";
  EXPECT_LT(std::sqrt(variance) / mean, 0.3);
}

}  // namespace
}  // namespace hyperscale::realtime
