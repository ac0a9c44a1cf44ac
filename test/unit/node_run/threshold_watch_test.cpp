#include "node/run/threshold_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::node {
namespace {

results::RunThreshold threshold(const char* text, bool aborts, Duration delay = {}) {
  auto parsed = results::Threshold::parse(text);
  EXPECT_TRUE(parsed);
  return {*parsed, aborts, delay};
}

// Answers of 10 ms.
results::RunResult answers(std::uint64_t count) {
  results::RunResult out;
  out.steps.emplace_back();
  out.steps[0].series.duration.record_many(10ms, count);
  out.steps[0].counts.outcomes[0] = count;
  return out;
}

TEST(ThresholdWatch, IsDueOnceASecondOfTheCountedPart) {
  ThresholdWatch watch({threshold("p99<1ms", true)});
  EXPECT_FALSE(watch.is_due(-1s)) << "warm-up";
  EXPECT_FALSE(watch.is_due(900ms));
  EXPECT_TRUE(watch.is_due(1s));
  EXPECT_FALSE(watch.is_due(1900ms));
  EXPECT_TRUE(watch.is_due(5s)) << "after a stall";
  EXPECT_FALSE(watch.is_due(5100ms)) << "and what was missed is not made up for";
  EXPECT_TRUE(watch.is_due(6s));
}

TEST(ThresholdWatch, WithoutOneThatEndsTheRunNothingIsDue) {
  EXPECT_FALSE(ThresholdWatch({}).is_due(10s));
  EXPECT_FALSE(ThresholdWatch({threshold("p99<1ms", false)}).is_due(10s));
  EXPECT_FALSE(ThresholdWatch({threshold("p99<1ms", false)}).failed(answers(10), 10s));
}

TEST(ThresholdWatch, ADelayMustHavePassed) {
  ThresholdWatch watch({threshold("p99<1ms", true, 3s)});
  EXPECT_FALSE(watch.is_due(2s));
  EXPECT_FALSE(watch.failed(answers(10), 2s));
  EXPECT_TRUE(watch.is_due(3s));
  EXPECT_TRUE(watch.failed(answers(10), 3s));
}

TEST(ThresholdWatch, TheFirstThatFailsIsNamed) {
  const ThresholdWatch watch({threshold("p99<1s", true), threshold("p50<1ms", true), threshold("max<1ms", true)});
  const auto failed = watch.failed(answers(10), 1s);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->threshold, "p50<1ms");
  EXPECT_EQ(failed->actual, "10ms");
}

TEST(ThresholdWatch, NothingHasFailedBeforeTheFirstAnswer) {
  const ThresholdWatch watch({threshold("p99<1ms", true)});
  EXPECT_FALSE(watch.failed(answers(0), 1s));
}

}  // namespace
}  // namespace hyperscale::node
