#include "membership/detection/suspicion.h"

#include "detection_world.h"
#include "sim/bugs/bug_planter.h"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::membership {
namespace {

constexpr SuspicionTimeouts kTimeouts = {5s, 30s};

Suspicion suspicion(std::size_t wanted) {
  return Suspicion({.incarnation = wire::Incarnation(1),
                    .from = node(1),
                    .since = kStart,
                    .timeouts = kTimeouts,
                    .confirmations_wanted = wanted});
}

TEST(SuspicionTimeout, FallsFromMaxToMinAsInLifeguard) {
  EXPECT_EQ(suspicion_timeout(kTimeouts, 0, 3), 30s);
  EXPECT_EQ(suspicion_timeout(kTimeouts, 1, 3), 17'500ms);  // ln 2 / ln 4 is a half
  EXPECT_NEAR(static_cast<double>(suspicion_timeout(kTimeouts, 2, 3).count()) / 1e9,
              30 - 25 * std::log(3) / std::log(4), 1e-6);
  EXPECT_EQ(suspicion_timeout(kTimeouts, 3, 3), 5s);
  EXPECT_EQ(suspicion_timeout(kTimeouts, 9, 3), 5s);
}

TEST(SuspicionTimeout, IsMinWhereNobodyCouldConfirm) {
  EXPECT_EQ(suspicion_timeout(kTimeouts, 0, 0), 5s);
  EXPECT_EQ(reachable_confirmations(3, 2), 0U);
  EXPECT_EQ(reachable_confirmations(3, 3), 1U);
  EXPECT_EQ(reachable_confirmations(3, 1'000), 3U);
}

// proves part: SWIM-4 (suspicions of workers; managers and gates are waited for by their distance)
TEST(SuspicionTimeout, GrowsWithLogOfClusterSizeAndLocalHealth) {
  EXPECT_EQ(timeouts_in_cluster(kTimeouts, 10s, 1, 1).max, 5s) << "never below min";
  EXPECT_NEAR(static_cast<double>(timeouts_in_cluster(kTimeouts, 10s, 8, 1).max.count()) / 1e9, 10 * std::log(8), 1e-6);
  EXPECT_EQ(timeouts_in_cluster(kTimeouts, 10s, 1'000, 1), kTimeouts) << "capped before the multiplier";
  EXPECT_EQ(timeouts_in_cluster(kTimeouts, 10s, 1'000, 3), (SuspicionTimeouts{15s, 90s}));
}

// proves: SWIM-3
TEST(Suspicion, EachNewVoiceBringsTheDeadlineCloser) {
  Suspicion doubt = suspicion(3);
  EXPECT_EQ(doubt.deadline(), kStart + 30s);
  MonoTime last = doubt.deadline();
  for (int voice = 2; voice <= 4; ++voice) {
    EXPECT_TRUE(doubt.confirm(node(voice), kStart, {}));
    EXPECT_LT(doubt.deadline(), last);
    last = doubt.deadline();
  }
  EXPECT_EQ(last, kStart + 5s);
  EXPECT_FALSE(doubt.confirm(node(5), kStart, {})) << "nothing left to shorten";
}

TEST(Suspicion, OneVoiceCountsOnce) {
  Suspicion doubt = suspicion(3);
  EXPECT_FALSE(doubt.confirm(node(1), kStart, {})) << "the first to suspect cannot confirm itself";
  EXPECT_TRUE(doubt.confirm(node(2), kStart, {}));
  EXPECT_FALSE(doubt.confirm(node(2), kStart, {}));
  EXPECT_EQ(doubt.confirmations(), 1U);

  Suspicion mutated = suspicion(3);
  EXPECT_TRUE(mutated.confirm(node(1), kStart, {.count_repeated_confirmers = BugPlanter::planted()}))
      << "the planted bug is not one";
}

TEST(Suspicion, AnotherClusterSizeNeverMovesTheDeadlineLater) {
  Suspicion doubt = suspicion(3);
  doubt.refit({5s, 20s}, 3);
  EXPECT_EQ(doubt.deadline(), kStart + 20s);
  doubt.refit({50s, 90s}, 30);
  EXPECT_EQ(doubt.deadline(), kStart + 20s);
}

RC_GTEST_PROP(Suspicion, ConfirmationsOnlyShortenDownToMinimum, ()) {
  Suspicion doubt = suspicion(*rc::gen::inRange<std::size_t>(0, 8));
  MonoTime last = doubt.deadline();
  for (const int voice : *rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 12))) {
    doubt.confirm(node(voice), last - 1ns, {});
    RC_ASSERT(doubt.deadline() <= last);
    RC_ASSERT(doubt.deadline() >= kStart + kTimeouts.min);
    last = doubt.deadline();
  }
}

}  // namespace
}  // namespace hyperscale::membership
