#include "node/local/window_builder.h"

#include <gtest/gtest.h>

namespace hyperscale::node {
namespace {

load::LiveReading reading(std::uint64_t requests, Duration latency, const load::LiveReading& before = {}) {
  load::LiveReading out = before;
  out.requests += requests;
  out.vus_busy = 3;
  out.duration.record_many(latency, requests);
  return out;
}

TEST(WindowBuilder, EachWindowHasItsOwnFiguresAndPercentiles) {
  WindowBuilder builder;
  const auto first = reading(10, 1ms);
  const auto second = reading(20, 5ms, first);
  EXPECT_EQ(builder.next_end(), 1s);
  builder.close(first, 1'000'200us);
  EXPECT_EQ(builder.next_end(), 2s);
  builder.close(second, 2s);
  ASSERT_EQ(builder.windows().size(), 2U);
  EXPECT_EQ(builder.windows()[0].start, 0s);
  EXPECT_EQ(builder.windows()[0].length, 1s) << "times are kept to the millisecond";
  EXPECT_EQ(builder.windows()[0].requests, 10U);
  EXPECT_EQ(builder.windows()[1].start, 1s);
  EXPECT_EQ(builder.windows()[1].requests, 20U);
  EXPECT_NEAR(static_cast<double>(builder.windows()[1].p50.count()), 5e6, 5e3);
  EXPECT_NEAR(static_cast<double>(builder.windows()[1].p99.count()), 5e6, 5e3);
}

TEST(WindowBuilder, ALateReadingMakesALongerWindow) {
  WindowBuilder builder;
  builder.close(reading(10, 1ms), 2700ms);
  EXPECT_EQ(builder.windows()[0].length, 2700ms);
  EXPECT_EQ(builder.next_end(), 3s);
}

TEST(WindowBuilder, AShortRestBelongsToTheWindowBefore) {
  WindowBuilder builder;
  const auto first = reading(10, 1ms);
  builder.close(first, 1s);
  builder.finish(reading(1, 9ms, first), 1004ms);
  ASSERT_EQ(builder.windows().size(), 1U);
  EXPECT_EQ(builder.windows()[0].requests, 11U);
  EXPECT_EQ(builder.windows()[0].length, 1004ms);
  EXPECT_EQ(builder.windows()[0].vus_active, 3U);
}

TEST(WindowBuilder, ALongRestIsAWindowAndNothingIsLost) {
  WindowBuilder builder;
  const auto first = reading(10, 1ms);
  builder.close(first, 1s);
  builder.finish(reading(7, 9ms, first), 1500ms);
  ASSERT_EQ(builder.windows().size(), 2U);
  EXPECT_EQ(builder.windows()[1].requests, 7U);
  EXPECT_EQ(builder.windows()[1].length, 500ms);
}

TEST(WindowBuilder, AVeryShortRunIsOneWindow) {
  WindowBuilder builder;
  builder.finish(reading(2, 1ms), 3ms);
  ASSERT_EQ(builder.windows().size(), 1U);
  EXPECT_EQ(builder.windows()[0].requests, 2U);
}

}  // namespace
}  // namespace hyperscale::node
