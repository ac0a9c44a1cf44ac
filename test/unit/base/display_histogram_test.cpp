#include "base/histogram/display_histogram.h"

#include "histogram_values.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale {
namespace {

RC_GTEST_PROP(DisplayHistogram, KeepsTotalAndExtremesInFewAdjoiningBuckets, (const LatencyHistogram& source)) {
  const auto buckets_max = *rc::gen::inRange<std::size_t>(1, kDisplayBucketsMax + 1);
  const DisplayHistogram display(source, buckets_max);
  RC_ASSERT(display.buckets().size() <= buckets_max);
  RC_ASSERT((display.min() == source.min() && display.max() == source.max() && display.mean() == source.mean()));
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < display.buckets().size(); ++i) {
    const auto& bucket = display.buckets()[i];
    total += bucket.count;
    RC_ASSERT(bucket.range.low < bucket.range.high);
    if (i > 0) RC_ASSERT(bucket.range.low == display.buckets()[i - 1].range.high);
  }
  RC_ASSERT(total == source.count());
  RC_ASSERT(display.count() == source.count());
}

RC_GTEST_PROP(DisplayHistogram, BucketsHoldExactlyTheValuesOfTheirRange, ()) {
  const auto values = *latencies_gen();
  const DisplayHistogram display(histogram_of(values));
  for (const auto& bucket : display.buckets()) {
    const auto inside = std::count_if(values.begin(), values.end(), [&](Duration value) {
      return bucket.range.contains(std::min(value, kHistogramMax));
    });
    RC_ASSERT(bucket.count == static_cast<std::uint64_t>(inside));
  }
}

RC_GTEST_PROP(DisplayHistogram, EstimateLiesInTheBucketOfTheWantedValue, ()) {
  const auto values = *rc::gen::nonEmpty(latencies_gen());
  const LatencyHistogram source = histogram_of(values);
  const DisplayHistogram display(source);
  for (const double percentile : {0.0, 25.0, 50.0, 90.0, 99.0, 99.9, 100.0}) {
    const Duration exact = source.value_at_percentile(percentile);
    const Duration estimate = display.estimate_percentile(percentile);
    const auto bucket = std::find_if(display.buckets().begin(), display.buckets().end(),
                                     [&](const auto& b) { return b.range.contains(exact); });
    RC_ASSERT(bucket != display.buckets().end());
    RC_ASSERT(bucket->range.contains(std::min(estimate, kHistogramMax)));
    RC_ASSERT((estimate >= source.min() && estimate <= source.max()));
  }
}

TEST(DisplayHistogram, EmptyAndSingleValues) {
  const DisplayHistogram empty{LatencyHistogram()};
  EXPECT_TRUE(empty.buckets().empty());
  EXPECT_EQ(empty.estimate_percentile(50), 0s);
  const DisplayHistogram single(histogram_of({5ms}));
  ASSERT_EQ(single.buckets().size(), 1U);
  EXPECT_EQ(single.estimate_percentile(50), 5ms);
}

TEST(DisplayHistogram, BucketsGrowInEqualRatios) {
  const DisplayHistogram display(histogram_of({1ms, 1s}), 3);
  ASSERT_EQ(display.buckets().size(), 3U);
  for (const auto& bucket : display.buckets()) {
    const double ratio = static_cast<double>(bucket.range.high.count()) / static_cast<double>(bucket.range.low.count());
    EXPECT_NEAR(ratio, 10.0, 0.03);
  }
}

TEST(DisplayHistogram, TypicalEstimateIsWithinAFewPercent) {
  LatencyHistogram source;
  for (int us = 100; us < 100'000; ++us) source.record(Duration(us * 1'000));
  const DisplayHistogram display(source);
  for (const double percentile : {50.0, 95.0, 99.0}) {
    const auto exact = static_cast<double>(source.value_at_percentile(percentile).count());
    EXPECT_NEAR(static_cast<double>(display.estimate_percentile(percentile).count()), exact, exact * 0.03);
  }
}

TEST(DisplayHistogramDeathTest, BucketCountIsBounded) {
  EXPECT_DEATH(DisplayHistogram(LatencyHistogram(), 0), "0 buckets");
  EXPECT_DEATH(DisplayHistogram(LatencyHistogram(), kDisplayBucketsMax + 1), "257 buckets");
}

}  // namespace
}  // namespace hyperscale
