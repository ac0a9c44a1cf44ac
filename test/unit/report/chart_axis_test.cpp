#include "report/chart_axis.h"

#include <gtest/gtest.h>

namespace hyperscale::report {
namespace {

std::string labels(const ChartAxis& axis) {
  std::string text;
  for (const ChartTick& tick : axis.ticks) text += (text.empty() ? "" : " ") + tick.label;
  return text;
}

TEST(ChartAxis, CountsEndAtARoundValue) {
  EXPECT_EQ(labels(count_axis(4200, "")), "0 1k 2k 3k 4k 5k");
  EXPECT_EQ(count_axis(4200, "").high, 5000);
  EXPECT_EQ(labels(count_axis(0, "")), "0 1 2 3 4 5");
}

TEST(ChartAxis, TimeInSecondsAndMinutes) {
  EXPECT_EQ(labels(time_axis(60s)), "0s 10s 20s 30s 40s 50s 1m");
  EXPECT_EQ(labels(time_axis(10min)), "0s 2m 4m 6m 8m 10m");
}

TEST(ChartAxis, LatencyIsLogarithmicOverMoreThanADecade) {
  const ChartAxis wide = latency_axis(100us, 50ms, "");
  EXPECT_TRUE(wide.logarithmic);
  EXPECT_EQ(labels(wide), "100µs 200µs 500µs 1ms 2ms 5ms 10ms 20ms 50ms");
  const ChartAxis narrow = latency_axis(1ms, 4ms, "");
  EXPECT_FALSE(narrow.logarithmic);
  EXPECT_EQ(labels(narrow), "0 1ms 2ms 3ms 4ms");
}

TEST(ChartAxis, NinesAreEquallyFarApart) {
  const ChartAxis axis = percentile_axis(10'000);
  EXPECT_EQ(labels(axis), "0% 50% 90% 99% 99.9% 99.99%");
  EXPECT_NEAR(axis.place(nines_of(99)) - axis.place(nines_of(90)),
              axis.place(nines_of(99.9)) - axis.place(nines_of(99)), 1e-9);
  EXPECT_NEAR(percentile_of(nines_of(99.9)), 99.9, 1e-9);
}

TEST(ChartAxis, PlaceStaysInside) {
  const ChartAxis axis = log_latency_axis(1ms, 100ms, "");
  EXPECT_EQ(axis.place(0), 0);
  EXPECT_EQ(axis.place(1e18), 1);
}

}  // namespace
}  // namespace hyperscale::report
