#include "load/pacing/load_curve.h"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::load {
namespace {

plan::Load open_load(double rate, Duration duration) {
  plan::Load load;
  load.pacing = plan::Pacing::kOpen;
  load.rate_per_s = rate;
  load.duration = duration;
  return load;
}

TEST(LoadCurve, ConstantRate) {
  const LoadCurve curve(open_load(100, 10s));
  EXPECT_EQ(curve.length(), 10s);
  EXPECT_EQ(curve.target_at(0s), 100);
  EXPECT_EQ(curve.target_at(9999ms), 100);
  EXPECT_EQ(curve.target_at(10s), 0);
  EXPECT_EQ(curve.time_of_total(0), 0s);
  EXPECT_EQ(curve.time_of_total(500), 5s);
  EXPECT_EQ(curve.time_of_total(1000), Duration::max()) << "the last arrival is before the end";
}

TEST(LoadCurve, EndlessWithoutADuration) {
  const LoadCurve curve(open_load(1000, 0s));
  EXPECT_EQ(curve.length(), Duration::max());
  EXPECT_EQ(curve.time_of_total(3'600'000), 3600s);
}

TEST(LoadCurve, RampFromZeroIsASquareRoot) {
  plan::Load load = open_load(0, 0s);
  load.stages = {{10s, 100}};
  const LoadCurve curve(load);
  EXPECT_EQ(curve.length(), 10s);
  EXPECT_NEAR(curve.target_at(5s), 50, 1e-9);
  EXPECT_NEAR(curve.total_at(10s), 500, 1e-9);
  EXPECT_NEAR(std::chrono::duration<double>(curve.time_of_total(125)).count(), 5.0, 1e-6);
}

TEST(LoadCurve, StagesFollowEachOtherAndAZeroStageJumps) {
  plan::Load load = open_load(10, 0s);
  load.stages = {{10s, 10}, {0s, 100}, {10s, 100}, {10s, 0}};
  const LoadCurve curve(load);
  EXPECT_EQ(curve.length(), 30s);
  EXPECT_EQ(curve.target_at(9s), 10);
  EXPECT_EQ(curve.target_at(10s), 100);
  EXPECT_NEAR(curve.target_at(25s), 50, 1e-9);
  EXPECT_EQ(curve.highest(), 100);
  EXPECT_NEAR(curve.total_at(30s), 100 + 1000 + 500, 1e-6);
}

TEST(LoadCurve, WarmUpHoldsTheFirstTargetAndComesOnTop) {
  plan::Load load = open_load(50, 10s);
  load.warmup = 2s;
  const LoadCurve curve(load);
  EXPECT_EQ(curve.length(), 12s);
  EXPECT_EQ(curve.time_of_total(100), 2s);
}

TEST(LoadCurve, WarmUpHasTheUsersOfTheFirstStage) {
  plan::Load load;
  load.stages = {{10s, 100}};
  load.warmup = 5s;
  const LoadCurve curve(load);
  EXPECT_EQ(curve.target_at(1s), 100);
  EXPECT_EQ(curve.target_at(5s), 0);
}

TEST(LoadCurve, AClosedRunWithStagesStartsWithNobody) {
  plan::Load load;
  load.vus = 100;
  load.stages = {{10s, 100}};
  const LoadCurve curve(load);
  EXPECT_EQ(curve.target_at(0s), 0);
  EXPECT_NEAR(curve.target_at(1s), 10, 1e-9);
}

RC_GTEST_PROP(LoadCurve, TimeAndTotalAreInverse, ()) {
  plan::Load load;
  load.pacing = plan::Pacing::kOpen;
  load.rate_per_s = *rc::gen::inRange(0, 1000);
  const auto stages = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(1, 100), rc::gen::inRange(0, 5000)));
  for (const auto& [length, target] : stages) load.stages.push_back({std::chrono::seconds(length), double(target)});
  if (load.stages.empty()) load.duration = 60s;
  const LoadCurve curve(load);
  const double all = curve.total_at(curve.length());
  RC_PRE(all > 1);
  const double part = all * *rc::gen::inRange(0, 1000) / 1000.0;
  const Duration time = curve.time_of_total(part);
  RC_ASSERT(time != Duration::max());
  RC_ASSERT(std::abs(curve.total_at(time) - part) < 1e-3 + all * 1e-9);
}

}  // namespace
}  // namespace hyperscale::load
