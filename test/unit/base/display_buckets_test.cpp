#include "base/histogram/display_buckets.h"

#include "base/histogram/histogram.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale {
namespace {

DisplayCounts counts_of(const std::vector<Duration>& values) {
  DisplayCounts counts{};
  for (const Duration value : values) ++counts[display_bucket(histogram_buckets::index_of(value))];
  return counts;
}

TEST(DisplayBuckets, NothingHasNoPercentile) {
  EXPECT_EQ(percentile_of(DisplayCounts{}, 99), Duration::zero());
}

// A display bucket is at most an eighth wide: the figure of the screen is never below the exact one, and at most that
// much above.
RC_GTEST_PROP(DisplayBuckets, PercentilesAreThoseOfTheExactHistogram, ()) {
  LatencyHistogram exact;
  std::vector<Duration> values;
  for (const int us : *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 60'000'000)))) {
    values.emplace_back(std::chrono::microseconds(us));
    exact.record(values.back());
  }
  const DisplayCounts counts = counts_of(values);
  for (const double percentile : {1.0, 50.0, 95.0, 99.0, 100.0}) {
    const double shown = static_cast<double>(percentile_of(counts, percentile).count());
    const double right = static_cast<double>(exact.value_at_percentile(percentile).count());
    RC_ASSERT(shown >= right * 0.999);
    RC_ASSERT(shown <= right * 1.127 + 2);
  }
}

TEST(DisplayBuckets, DifferenceHasWhatCameBetweenReadings) {
  const DisplayCounts earlier = counts_of({1ms, 1ms});
  const DisplayCounts later = counts_of({1ms, 1ms, 500ms});
  EXPECT_EQ(difference(later, earlier), counts_of({500ms}));
}

}  // namespace
}  // namespace hyperscale
