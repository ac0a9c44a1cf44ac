#include "live/live_view.h"

#include <gtest/gtest.h>

namespace hyperscale::live {
namespace {

TEST(LiveView, ProgressFollowsTimeOrCountWhicheverIsFurther) {
  LiveView view;
  EXPECT_EQ(progress(view), std::nullopt);
  EXPECT_EQ(time_left(view), std::nullopt);
  view.elapsed = 30s;
  view.planned = 120s;
  EXPECT_EQ(progress(view), 0.25);
  EXPECT_EQ(time_left(view), 90s);
  view.iterations_planned = 1'000;
  view.iterations = 500;
  EXPECT_EQ(progress(view), 0.5);
  EXPECT_EQ(time_left(view), 30s);
  view.elapsed = 200s;
  EXPECT_EQ(progress(view), 1.0);
  EXPECT_EQ(time_left(view), 0s);
}

TEST(LiveView, TooFewIterationsSayNothingAboutTheEnd) {
  LiveView view;
  view.elapsed = 1s;
  view.iterations_planned = 1'000;
  view.iterations = 9;
  EXPECT_EQ(time_left(view), std::nullopt);
  view.iterations = 10;
  EXPECT_EQ(time_left(view), 99s);
}

TEST(LiveView, OneBrokenThresholdIsFailing) {
  LiveView view;
  view.thresholds = {{"a", "", ThresholdState::kPassing}, {"b", "", ThresholdState::kPending}};
  EXPECT_FALSE(is_failing(view));
  view.thresholds.push_back({"c", "", ThresholdState::kFailing});
  EXPECT_TRUE(is_failing(view));
}

TEST(PointSeries, KeepsTheNewest) {
  PointSeries series;
  for (std::size_t i = 0; i < PointSeries::kPointsMax + 3; ++i) series.push({.rate_per_s = static_cast<double>(i)});
  ASSERT_EQ(series.size(), PointSeries::kPointsMax);
  EXPECT_EQ(series[0].rate_per_s, 3);
  EXPECT_EQ(series.newest().rate_per_s, PointSeries::kPointsMax + 2);
  for (std::size_t i = 1; i < series.size(); ++i) EXPECT_EQ(series[i].rate_per_s, series[i - 1].rate_per_s + 1);
}

}  // namespace
}  // namespace hyperscale::live
