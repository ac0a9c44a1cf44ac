#include "base/histogram/histogram.h"

#include "allocation_count.h"
#include "base/prng.h"
#include "histogram_values.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale {
namespace {

using Range = LatencyHistogram::Range;

TEST(LatencyHistogram, BucketsTileTheWholeRangeWithThreeDigits) {
  Range range = LatencyHistogram::bucket_of(0s);
  EXPECT_EQ(range, (Range{0s, kHistogramUnit}));
  std::size_t buckets = 1;
  for (; range.high <= kHistogramMax; ++buckets) {
    const Range next = LatencyHistogram::bucket_of(range.high);
    ASSERT_EQ(next.low, range.high);
    ASSERT_LE((next.high - next.low) * 1'000, next.low);
    ASSERT_EQ(LatencyHistogram::bucket_of(next.high - 1ns), next);
    range = next;
  }
  EXPECT_EQ(range.high, kHistogramMax + 1ns);
  EXPECT_LT(buckets * sizeof(std::uint64_t), 270'000U);
}

TEST(LatencyHistogram, EmptyAnswersZero) {
  const LatencyHistogram histogram;
  EXPECT_TRUE(histogram.empty());
  EXPECT_EQ(histogram.min(), 0s);
  EXPECT_EQ(histogram.max(), 0s);
  EXPECT_EQ(histogram.mean(), 0s);
  EXPECT_EQ(histogram.value_at_percentile(99), 0s);
  histogram.for_each_bucket([](const LatencyHistogram::Bucket&) { FAIL(); });
}

TEST(LatencyHistogram, BelowTheUnitSharesOneBucket) {
  LatencyHistogram histogram;
  for (const Duration value : {-5ns, 0ns, 1ns, 999ns}) histogram.record(value);
  std::vector<LatencyHistogram::Bucket> buckets;
  histogram.for_each_bucket([&](const auto& bucket) { buckets.push_back(bucket); });
  ASSERT_EQ(buckets.size(), 1U);
  EXPECT_EQ(buckets[0], (LatencyHistogram::Bucket{{0s, 1us}, 4}));
  EXPECT_EQ(histogram.min(), 0ns);
  EXPECT_EQ(histogram.mean(), 250ns);
  EXPECT_EQ(histogram.value_at_percentile(100), 999ns);
}

TEST(LatencyHistogram, AboveTheRangeIsClampedAndCounted) {
  LatencyHistogram histogram;
  histogram.record(1h);
  EXPECT_EQ(histogram.saturated(), 0U);
  histogram.record(1h + 1ns);
  histogram.record(3h);
  EXPECT_EQ(histogram.saturated(), 2U);
  EXPECT_EQ(histogram.count(), 3U);
  EXPECT_EQ(histogram.max(), 3h);
  EXPECT_EQ(histogram.value_at_percentile(100), 1h);
  histogram.record(Duration::max());
  EXPECT_EQ(histogram.max(), Duration::max());
}

TEST(LatencyHistogram, ResetGivesANewOne) {
  LatencyHistogram histogram = histogram_of({5ms, 0s, 2h, 70us});
  histogram.reset();
  EXPECT_EQ(histogram, LatencyHistogram());
  histogram.record(5ms);
  EXPECT_EQ(histogram, histogram_of({5ms}));
}

TEST(LatencyHistogram, RecordManyEqualsRepetition) {
  LatencyHistogram many;
  many.record_many(3ms, 4);
  many.record_many(2h, 2);
  many.record_many(1us, 0);
  EXPECT_EQ(many, histogram_of({3ms, 3ms, 3ms, 3ms, 2h, 2h}));
}

TEST(LatencyHistogram, SumStaysExactBeyond64Bits) {
  LatencyHistogram histogram;
  histogram.record_many(1h, 1'000'000'000'000);
  histogram.record_many(1h + 2ns, 1'000'000'000'000);
  EXPECT_EQ(histogram.mean(), 1h + 1ns);
}

TEST(LatencyHistogram, MergeBeyondTheCountLimitChangesNothing) {
  LatencyHistogram full;
  full.record_many(1ms, kHistogramCountMax);
  const LatencyHistogram one = histogram_of({1ms});
  const LatencyHistogram before = full;
  const Status merged = full.merge(one);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, ErrorCode::kTooLarge);
  EXPECT_EQ(full, before);
}

TEST(LatencyHistogram, RecordingNeverAllocates) {
  LatencyHistogram histogram;
  LatencyHistogram other;
  Prng prng(5);
  const std::size_t before = test::allocation_count();
  for (int i = 0; i < 10'000; ++i) histogram.record(prng.between(0s, 2h));
  EXPECT_TRUE(other.merge(histogram));
  other.reset();
  EXPECT_EQ(test::allocation_count(), before);
}

RC_GTEST_PROP(LatencyHistogram, EveryValueLiesInItsBucket, ()) {
  const Duration value = *latency_gen();
  const Range range = LatencyHistogram::bucket_of(value);
  RC_ASSERT(range.contains(std::min(value, kHistogramMax)));
  if (value >= kHistogramUnit) RC_ASSERT((range.high - range.low) * 1'000 <= range.low);
}

RC_GTEST_PROP(LatencyHistogram, PercentilesMatchBucketsOfSortedValues, ()) {
  auto values = *rc::gen::nonEmpty(latencies_gen());
  const LatencyHistogram histogram = histogram_of(values);
  std::sort(values.begin(), values.end());
  for (std::size_t permille = 0; permille <= 1'000; ++permille) {
    const std::size_t rank = std::max<std::size_t>(1, (permille * values.size() + 999) / 1'000);
    const Duration answer = histogram.value_at_percentile(static_cast<double>(permille) / 10.0);
    RC_ASSERT(LatencyHistogram::bucket_of(values[rank - 1]).contains(answer));
    RC_ASSERT(answer <= values.back());
  }
}

RC_GTEST_PROP(LatencyHistogram, FiguresEqualThoseOfTheValues, ()) {
  const auto values = *rc::gen::nonEmpty(latencies_gen());
  const LatencyHistogram histogram = histogram_of(values);
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  RC_ASSERT(histogram.count() == values.size());
  RC_ASSERT(histogram.min() == *min);
  RC_ASSERT(histogram.max() == *max);
  const Duration sum = std::accumulate(values.begin(), values.end(), Duration::zero());
  RC_ASSERT(histogram.mean() == sum / static_cast<std::int64_t>(values.size()));
  const auto above = std::count_if(values.begin(), values.end(), [](Duration value) { return value > 1h; });
  RC_ASSERT(histogram.saturated() == static_cast<std::uint64_t>(above));
}

RC_GTEST_PROP(LatencyHistogram, MergeEqualsTheHistogramOfBoth, ()) {
  const auto a = *latencies_gen();
  const auto b = *latencies_gen();
  auto both = a;
  both.insert(both.end(), b.begin(), b.end());
  LatencyHistogram merged = histogram_of(a);
  RC_ASSERT(merged.merge(histogram_of(b)).has_value());
  RC_ASSERT(merged == histogram_of(both));
}

RC_GTEST_PROP(LatencyHistogram, BucketsHoldEveryValueOnceAndRise, (const LatencyHistogram& histogram)) {
  std::uint64_t total = 0;
  Duration last_high{};
  histogram.for_each_bucket([&](const LatencyHistogram::Bucket& bucket) {
    RC_ASSERT(bucket.count > 0U);
    RC_ASSERT(bucket.range.low >= last_high);
    last_high = bucket.range.high;
    total += bucket.count;
  });
  RC_ASSERT(total == histogram.count());
}

}  // namespace
}  // namespace hyperscale
