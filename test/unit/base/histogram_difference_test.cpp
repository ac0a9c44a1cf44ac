#include "base/histogram/histogram_difference.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale {
namespace {

LatencyHistogram histogram_of(const std::vector<std::uint32_t>& values) {
  LatencyHistogram histogram;
  for (const std::uint32_t us : values) histogram.record(std::chrono::microseconds(us));
  return histogram;
}

TEST(HistogramDifference, IsWhatWasRecordedInBetween) {
  EXPECT_TRUE(rc::check([](const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& between) {
    const LatencyHistogram earlier = histogram_of(before);
    LatencyHistogram later = earlier;
    RC_ASSERT(later.merge(histogram_of(between)).has_value());
    const SparseHistogram gained = histogram_difference(later, earlier);
    const LatencyHistogram wanted = histogram_of(between);
    RC_ASSERT(gained.count() == wanted.count());
    RC_ASSERT(gained.sum_ns() == wanted.sum_ns());
    RC_ASSERT(LatencyHistogram::bucket_of(gained.min()) == LatencyHistogram::bucket_of(wanted.min()));
    RC_ASSERT(LatencyHistogram::bucket_of(gained.max()) == LatencyHistogram::bucket_of(wanted.max()));
    for (const double percentile : {50.0, 90.0, 99.0}) {
      RC_ASSERT(LatencyHistogram::bucket_of(gained.value_at_percentile(percentile)) ==
                LatencyHistogram::bucket_of(wanted.value_at_percentile(percentile)));
    }
  }));
}

TEST(HistogramDifference, OfEqualReadingsIsEmpty) {
  const LatencyHistogram one = histogram_of({1, 2, 3});
  EXPECT_EQ(histogram_difference(one, one), SparseHistogram());
}

TEST(HistogramDifference, ANewMaximumIsExact) {
  const LatencyHistogram earlier = histogram_of({100});
  LatencyHistogram later = earlier;
  later.record(1'234'567ns);
  EXPECT_EQ(histogram_difference(later, earlier).max(), 1'234'567ns);
}

}  // namespace
}  // namespace hyperscale
