#include "base/histogram/sparse_histogram.h"

#include "base/histogram/histogram_codec.h"
#include "histogram_values.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale {
namespace {

// The dense histogram is the oracle: slow in space, obvious in everything else.
void expect_same_figures(const SparseHistogram& sparse, const LatencyHistogram& dense) {
  RC_ASSERT(sparse.count() == dense.count());
  RC_ASSERT(sparse.saturated() == dense.saturated());
  RC_ASSERT(sparse.sum_ns() == dense.sum_ns());
  RC_ASSERT((sparse.min() == dense.min() && sparse.max() == dense.max() && sparse.mean() == dense.mean()));
  for (const double percentile : {-1.0, 0.0, 1.0, 50.0, 90.0, 99.0, 99.9, 100.0, 101.0})
    RC_ASSERT(sparse.value_at_percentile(percentile) == dense.value_at_percentile(percentile));
  std::vector<LatencyHistogram::Bucket> here, there;
  sparse.for_each_bucket([&](const LatencyHistogram::Bucket& bucket) { here.push_back(bucket); });
  dense.for_each_bucket([&](const LatencyHistogram::Bucket& bucket) { there.push_back(bucket); });
  RC_ASSERT(here == there);
}

SparseHistogram sparse_of(const std::vector<Duration>& values) {
  SparseHistogram histogram;
  for (const Duration value : values) histogram.record(value);
  return histogram;
}

RC_GTEST_PROP(SparseHistogram, HasTheFiguresOfTheDenseOne, ()) {
  const auto values = *latencies_gen();
  const SparseHistogram sparse = sparse_of(values);
  expect_same_figures(sparse, histogram_of(values));
  RC_ASSERT(sparse == SparseHistogram(histogram_of(values)));
}

RC_GTEST_PROP(SparseHistogram, MergesAsTheDenseOne, (LatencyHistogram a, const LatencyHistogram& b)) {
  SparseHistogram sparse = a;
  RC_ASSERT(sparse.merge(b).has_value());
  RC_ASSERT(a.merge(b).has_value());
  expect_same_figures(sparse, a);
  RC_ASSERT(sparse == SparseHistogram(a));
}

RC_GTEST_PROP(SparseHistogram, MergesInAnyOrder, ()) {
  const SparseHistogram a = sparse_of(*latencies_gen()), b = sparse_of(*latencies_gen());
  SparseHistogram left = a, right = b;
  RC_ASSERT((left.merge(b).has_value() && right.merge(a).has_value()));
  RC_ASSERT(left == right);
}

RC_GTEST_PROP(SparseHistogram, MadeOfPartsAsTheDenseOne, (const LatencyHistogram& source)) {
  const SparseHistogram sparse = source;
  std::vector<std::uint64_t> counts(histogram_buckets::kCount);
  for (const SparseHistogram::Cell& cell : sparse.cells()) counts[cell.bucket] = cell.count;
  // Totals of a recorder that was killed between two stores, or was broken.
  const LatencyHistogram::Totals totals{.sum_ns = *rc::gen::arbitrary<std::uint64_t>(),
                                        .min = *latency_gen(),
                                        .max = *latency_gen(),
                                        .saturated = *rc::gen::inRange<std::uint64_t>(0, 4)};
  const auto dense = LatencyHistogram::from_parts(counts, totals);
  RC_ASSERT(SparseHistogram::from_parts(sparse.cells(), totals) == SparseHistogram(dense));
}

RC_GTEST_PROP(SparseHistogram, CodecRoundTrip, (const LatencyHistogram& source)) {
  const SparseHistogram sparse = source;
  const auto decoded = HistogramCodec::decode(HistogramCodec::encode(sparse));
  RC_ASSERT(decoded.has_value());
  RC_ASSERT(*decoded == sparse);
  expect_same_figures(*decoded, source);
}

// Bytes that pass every check are a histogram that can be merged and asked, whoever wrote them.
RC_GTEST_PROP(SparseHistogram, HostileBytesFailOrAreSound, ()) {
  std::vector<std::uint8_t> bytes = HistogramCodec::encode(sparse_of(*rc::gen::nonEmpty(latencies_gen())));
  const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
  bytes[at] = *rc::gen::arbitrary<std::uint8_t>();
  auto decoded = HistogramCodec::decode(bytes);
  if (!decoded) return;
  RC_ASSERT(std::ranges::is_sorted(decoded->cells(), {}, &SparseHistogram::Cell::bucket));
  RC_ASSERT(decoded->merge(SparseHistogram(*decoded)).has_value());
  RC_ASSERT(decoded->value_at_percentile(100) <= decoded->max());
}

TEST(SparseHistogram, TooManyValuesAreRefusedAndNothingChanges) {
  SparseHistogram full;
  full.record_many(1ms, kHistogramCountMax - 1);
  SparseHistogram two;
  two.record_many(2ms, 2);
  const SparseHistogram before = full;
  const Status merged = full.merge(two);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, ErrorCode::kTooLarge);
  EXPECT_EQ(full, before);
}

TEST(SparseHistogram, TakesMemoryForWhatIsInIt) {
  SparseHistogram histogram;
  for (int i = 0; i < 1'000; ++i) histogram.record(5ms);
  EXPECT_EQ(histogram.cells().size(), 1U);
  histogram.record(2h);
  EXPECT_EQ(histogram.cells().size(), 2U);
  EXPECT_EQ(histogram.saturated(), 1U);
}

}  // namespace
}  // namespace hyperscale
