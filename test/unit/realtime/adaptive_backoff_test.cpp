#include "realtime/adaptive_backoff.h"

#include <algorithm>
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

// proves: MURK-TEST-23, MURK-BACK-2
// proves part: MURK-BACK-1 (stale over all, above the threshold; not that a world counts expired and unsupported ones)
TEST(AdaptiveBackoff, WidensOnlyAboveTheThreshold) {
  AdaptiveBackoff backoff({});
  EXPECT_EQ(backoff.max_skew(), 2u);
  backoff.update(10, 2);
  EXPECT_EQ(backoff.max_skew(), 2u) << "20 % is not above 20 %";
  backoff.update(10, 3);
  EXPECT_EQ(backoff.max_skew(), 3u) << "25 % of the window";
  backoff.update(10, 3);
  EXPECT_EQ(backoff.max_skew(), 5u) << "4.5, rounded up";
  AdaptiveBackoff gentle({.backoff_factor = 1.1});
  gentle.update(10, 3);
  EXPECT_EQ(gentle.max_skew(), 3u) << "2.2, rounded up as well";
  AdaptiveBackoff scarcely({});
  scarcely.update(10'000, 2'001);
  EXPECT_EQ(scarcely.max_skew(), 3u) << "a little more than 20 % is above it";
}

// proves part: MURK-BACK-1 (the window; not that a world counts expired and unsupported ones)
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
  quiet(backoff, 59);
  EXPECT_EQ(backoff.max_skew(), 7u) << "one step in each interval, not in each tick";
  quiet(backoff, 1);
  EXPECT_EQ(backoff.max_skew(), 6u);
  quiet(backoff, 60 * 20);
  EXPECT_EQ(backoff.max_skew(), 2u) << "never below the initial value";
  backoff.update(10, 10);
  ASSERT_EQ(backoff.max_skew(), 3u);
  quiet(backoff, 59);
  backoff.update(100, 1);
  quiet(backoff, 59);
  EXPECT_EQ(backoff.max_skew(), 3u) << "a rejection begins the interval anew";
  quiet(backoff, 1);
  EXPECT_EQ(backoff.max_skew(), 2u);
}

// F-11
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

// proves: MURK-BACK-7, MURK-BACK-2, MURK-BACK-3
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
  EXPECT_DOUBLE_EQ(backoff.rejection_rate(), 0.8) << "of the last two ticks";
  quiet(backoff, 2);
  EXPECT_EQ(backoff.max_skew(), 11u);
  quiet(backoff, 2 * 20);
  EXPECT_EQ(backoff.max_skew(), 4u);
}

// proves: MURK-BACK-2, MURK-BACK-7
TEST(AdaptiveBackoff, RefusesNonsense) {
  EXPECT_TRUE(validate(BackoffConfig{}));
  EXPECT_TRUE(validate(BackoffConfig{.backoff_factor = 1}));
  EXPECT_TRUE(validate(BackoffConfig{.max_skew_cap = 1'000'000}));
  EXPECT_TRUE(validate(BackoffConfig{.decay_interval = 1}));
  EXPECT_TRUE(validate(BackoffConfig{.decay_interval = kDecayIntervalMax}));
  EXPECT_TRUE(validate(BackoffConfig{.rejection_rate_threshold = 0}));
  EXPECT_TRUE(validate(BackoffConfig{.rejection_rate_threshold = 1}));
  EXPECT_TRUE(validate(BackoffConfig{.initial_max_skew = 10}));
  EXPECT_TRUE(validate(BackoffConfig{.initial_max_skew = 0}));
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
    RC_ASSERT((backoff.max_skew() >= 2u && backoff.max_skew() <= 10u));
  }
}

// 50 agents that send two commands each per tick, at most `lag_most` ticks behind, and send again in the next tick what
// was refused.
class Agents {
 public:
  struct Tick {
    std::uint64_t sent = 0;
    std::uint64_t refused = 0;
  };

  Tick send(std::uint64_t lag_most, std::uint64_t max_skew) {
    Tick tick{.sent = 100 + again_};
    for (std::uint64_t command = 0; command < tick.sent; ++command) {
      seed_ = seed_ * 1664525 + 1013904223;
      if ((seed_ >> 16) % (lag_most + 1) > max_skew) ++tick.refused;
    }
    again_ = tick.refused;
    return tick;
  }

 private:
  std::uint32_t seed_ = 1;
  std::uint64_t again_ = 0;
};

// Phases in which the tick rate is degraded, and quiet ones in between which are long enough to narrow. The share of
// rejections must not swing from one degraded phase to the next, and what is sent again must not pile up.
// proves: MURK-BACK-3
// proves part: MURK-TEST-15 (with a model of the agents and of their lag; not in a world that ticks slowly)
// proves part: MURK-BACK-6 (with a model of the agents and of their lag; not in a world that ticks slowly)
TEST(AdaptiveBackoff, RejectionsDoNotOscillate) {
  constexpr int kDegradedTicks = 120, kQuietTicks = 150, kRounds = 10;
  AdaptiveBackoff backoff({});
  Agents agents;
  std::vector<double> rates;
  std::vector<std::uint64_t> widest, narrowest;
  std::uint64_t most_sent = 0;
  for (int round = 0; round < kRounds; ++round) {
    double sent = 0, refused = 0;
    for (int tick = 0; tick < kDegradedTicks; ++tick) {
      const Agents::Tick made = agents.send(12, backoff.max_skew());
      backoff.update(made.sent, made.refused);
      sent += static_cast<double>(made.sent);
      refused += static_cast<double>(made.refused);
      if (tick >= kDegradedTicks / 2) most_sent = std::max(most_sent, made.sent);
    }
    rates.push_back(refused / sent);
    widest.push_back(backoff.max_skew());
    for (int tick = 0; tick < kQuietTicks; ++tick) {
      const std::uint64_t before = backoff.max_skew();
      const Agents::Tick made = agents.send(1, before);
      backoff.update(made.sent, made.refused);
      ASSERT_LE(before - backoff.max_skew(), 1u) << "one tick at a time";
    }
    narrowest.push_back(backoff.max_skew());
  }
  EXPECT_EQ(widest, std::vector<std::uint64_t>(kRounds, 10)) << "twelve ticks behind is beyond the cap";
  EXPECT_EQ(narrowest, std::vector<std::uint64_t>(kRounds, 8)) << "twice 60 quiet ticks";
  EXPECT_LT(most_sent, 200u) << "with the skew that it began with there would be more than 400";
  const double mean = std::accumulate(rates.begin(), rates.end(), 0.0) / kRounds;
  double variance = 0;
  for (const double rate : rates) variance += (rate - mean) * (rate - mean) / kRounds;
  EXPECT_GT(mean, 0.10) << "otherwise the test does not bite";
  EXPECT_LT(std::sqrt(variance) / mean, 0.3);
}

}  // namespace
}  // namespace hyperscale::realtime
