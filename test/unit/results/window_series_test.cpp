#include "results/window_series.h"

#include <gtest/gtest.h>

namespace hyperscale::results {
namespace {

WindowTotals reading(std::uint64_t requests, Duration latency, const WindowTotals& before = {}) {
  WindowTotals out = before;
  out.requests += requests;
  out.users = 3;
  out.durations.record_many(latency, requests);
  return out;
}

TEST(WindowSeries, EachWindowHasItsOwnFiguresAndPercentiles) {
  WindowSeries series;
  const auto first = reading(10, 1ms);
  const auto second = reading(20, 5ms, first);
  EXPECT_EQ(series.next_end(), 1s);
  series.close(first, 1'000'200us);
  EXPECT_EQ(series.next_end(), 2s);
  series.close(second, 2s);
  ASSERT_EQ(series.windows().size(), 2U);
  EXPECT_EQ(series.windows()[0].start, 0s);
  EXPECT_EQ(series.windows()[0].length, 1s) << "times are kept to the millisecond";
  EXPECT_EQ(series.windows()[0].requests, 10U);
  EXPECT_EQ(series.windows()[1].start, 1s);
  EXPECT_EQ(series.windows()[1].requests, 20U);
  EXPECT_NEAR(static_cast<double>(series.windows()[1].p50.count()), 5e6, 5e3);
  EXPECT_NEAR(static_cast<double>(series.windows()[1].p99.count()), 5e6, 5e3);
}

TEST(WindowSeries, ALateReadingMakesALongerWindow) {
  WindowSeries series;
  series.close(reading(10, 1ms), 2700ms);
  EXPECT_EQ(series.windows()[0].length, 2700ms);
  EXPECT_EQ(series.next_end(), 3s);
}

TEST(WindowSeries, AShortRestBelongsToTheWindowBefore) {
  WindowSeries series;
  const auto first = reading(10, 1ms);
  series.close(first, 1s);
  series.finish(reading(1, 9ms, first), 1004ms);
  ASSERT_EQ(series.windows().size(), 1U);
  EXPECT_EQ(series.windows()[0].requests, 11U);
  EXPECT_EQ(series.windows()[0].length, 1004ms);
  EXPECT_EQ(series.windows()[0].vus_active, 3U);
}

TEST(WindowSeries, ALongRestIsAWindowAndNothingIsLost) {
  WindowSeries series;
  const auto first = reading(10, 1ms);
  series.close(first, 1s);
  series.finish(reading(7, 9ms, first), 1500ms);
  ASSERT_EQ(series.windows().size(), 2U);
  EXPECT_EQ(series.windows()[1].requests, 7U);
  EXPECT_EQ(series.windows()[1].length, 500ms);
}

TEST(WindowSeries, AVeryShortRunIsOneWindow) {
  WindowSeries series;
  series.finish(reading(2, 1ms), 3ms);
  ASSERT_EQ(series.windows().size(), 1U);
  EXPECT_EQ(series.windows()[0].requests, 2U);
}

TEST(WindowSeries, HandsOutHistogramsAndKeepsFigures) {
  WindowSeries figures, histograms(WindowSeries::Keep::kHistograms);
  const auto window = figures.close(reading(10, 1ms), 1s);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->durations.count(), 10U);
  EXPECT_TRUE(figures.windows()[0].durations.empty());
  EXPECT_EQ(figures.windows()[0].p99, window->p99);
  histograms.close(reading(10, 1ms), 1s);
  EXPECT_EQ(histograms.windows()[0], *window);
}

TEST(WindowSeries, TheLastWindowHasTheStartOfTheOneItReplaces) {
  WindowSeries series;
  const auto first = reading(10, 1ms);
  series.close(first, 1s);
  const Window last = series.finish(reading(1, 9ms, first), 1004ms);
  EXPECT_EQ(last.start, 0s);
  EXPECT_EQ(last.durations.count(), 11U);
}

// Windows of shares merged one by one are the windows of all shares together.
TEST(WindowSeries, WindowsOfSharesMergeExactly) {
  const auto a1 = reading(10, 1ms), a2 = reading(50, 30ms, a1);
  const auto b1 = reading(90, 2ms), b2 = reading(1, 900ms, b1);
  WindowSeries a(WindowSeries::Keep::kHistograms), b(WindowSeries::Keep::kHistograms),
      all(WindowSeries::Keep::kHistograms);
  const auto sum = [](WindowTotals to, const WindowTotals& more) { return to += more; };
  for (auto [series, first, second] :
       {std::tuple(&a, a1, a2), std::tuple(&b, b1, b2), std::tuple(&all, sum(a1, b1), sum(a2, b2))}) {
    series->close(first, 1s);
    series->close(second, 2s);
  }
  Recorded merged, share;
  merged.windows = a.windows();
  share.windows = b.windows();
  ASSERT_TRUE(merge(merged, share));
  EXPECT_EQ(merged.windows, all.windows());
}

}  // namespace
}  // namespace hyperscale::results
