#include "report/latency_bands.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::report {
namespace {

TEST(LatencyBands, NoneForNothing) {
  EXPECT_TRUE(latency_bands(SparseHistogram()).empty());
}

TEST(LatencyBands, CloseValuesGetEqualRoundSteps) {
  SparseHistogram histogram;
  for (int us = 300; us < 600; ++us) histogram.record(us * 1us);
  const auto bands = latency_bands(histogram);
  ASSERT_GE(bands.size(), 5u);
  EXPECT_EQ(bands.front().low, 300us);
  for (std::size_t i = 0; i + 1 < bands.size(); ++i)
    EXPECT_EQ(bands[i].high - bands[i].low, bands[0].high - bands[0].low);
}

TEST(LatencyBands, OneSlowRequestDoesNotSqueezeTheOthers) {
  SparseHistogram histogram;
  for (int us = 300; us < 600; ++us) histogram.record_many(us * 1us, 10);
  histogram.record(20s);
  const auto bands = latency_bands(histogram);
  ASSERT_GE(bands.size(), 6u);
  EXPECT_TRUE(bands.back().tail);
  EXPECT_EQ(bands.back().low, 600us);
  EXPECT_EQ(bands.back().count, 1u);
  EXPECT_EQ(bands.back().high, 20s + 1ns);
}

TEST(LatencyBands, AWideSpanFits) {
  SparseHistogram histogram;
  for (Duration value = 1us; value < 1h; value *= 3) histogram.record_many(value, 100);
  EXPECT_LE(latency_bands(histogram).size(), kLatencyBandsMax + 1);
}

TEST(LatencyBands, CoverEveryValueOnceAndSideBySide) {
  rc::check([](const std::vector<std::uint32_t>& values) {
    SparseHistogram histogram;
    for (const std::uint32_t value : values)
      histogram.record(Duration(std::int64_t{value} * *rc::gen::inRange(1, 2000)));
    const auto bands = latency_bands(histogram);
    RC_ASSERT(bands.size() <= kLatencyBandsMax + 1);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < bands.size(); ++i) {
      sum += bands[i].count;
      RC_ASSERT(bands[i].low < bands[i].high);
      if (i > 0) RC_ASSERT(bands[i].low == bands[i - 1].high);
    }
    RC_ASSERT(sum == histogram.count());
  });
}

TEST(LatencyBands, ValuesBeyondTheEndsOfTheHistogram) {
  SparseHistogram histogram;
  histogram.record(0ns);
  histogram.record(20h);
  const auto bands = latency_bands(histogram);
  ASSERT_FALSE(bands.empty());
  EXPECT_EQ(bands.front().low, 0ns);
  std::uint64_t sum = 0;
  for (const LatencyBand& band : bands) sum += band.count;
  EXPECT_EQ(sum, 2u);
}

}  // namespace
}  // namespace hyperscale::report
