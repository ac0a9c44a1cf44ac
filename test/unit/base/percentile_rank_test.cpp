#include "base/histogram/percentile_rank.h"

#include <rapidcheck/gtest.h>

namespace hyperscale {
namespace {

TEST(PercentileRank, Ends) {
  EXPECT_EQ(percentile_rank(0, 10), 1U);
  EXPECT_EQ(percentile_rank(-5, 10), 1U);
  EXPECT_EQ(percentile_rank(std::nan(""), 10), 1U);
  EXPECT_EQ(percentile_rank(100, 10), 10U);
  EXPECT_EQ(percentile_rank(250, 10), 10U);
  EXPECT_EQ(percentile_rank(99.999, std::uint64_t{1} << 62) >> 61, 1U);
}

TEST(PercentileRank, ExactSharesAreNotRoundedUp) {
  EXPECT_EQ(percentile_rank(50, 2), 1U);
  EXPECT_EQ(percentile_rank(7, 100), 7U);
  EXPECT_EQ(percentile_rank(99.9, 1'000), 999U);
  EXPECT_EQ(percentile_rank(99.99, 1'000'000), 999'900U);
  EXPECT_EQ(percentile_rank(99.9, 1'001), 1'000U);
}

RC_GTEST_PROP(PercentileRank, EqualsIntegerArithmetic, ()) {
  const auto count = *rc::gen::inRange<std::uint64_t>(1, 1'000'000'000);
  const auto thousandths = *rc::gen::inRange<std::uint64_t>(1, 100'001);
  const std::uint64_t expected = (thousandths * count + 99'999) / 100'000;
  RC_ASSERT(percentile_rank(static_cast<double>(thousandths) / 1'000.0, count) == expected);
}

}  // namespace
}  // namespace hyperscale
