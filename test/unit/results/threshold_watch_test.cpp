#include "results/threshold_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::results {
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

TEST(ThresholdWatch, WithoutThresholdsNothingIsDue) {
  EXPECT_FALSE(ThresholdWatch({}).is_due(10s));
}

TEST(ThresholdWatch, TellsHowAllOfThemStand) {
  const ThresholdWatch watch({threshold("p99<1ms", false), threshold("p99<1s", true)});
  const auto verdicts = watch.judge(answers(10));
  ASSERT_EQ(verdicts.size(), 2U);
  EXPECT_FALSE(verdicts[0].passed);
  EXPECT_EQ(verdicts[0].actual, "10ms");
  EXPECT_TRUE(verdicts[1].passed);
  EXPECT_FALSE(watch.failed(verdicts, 10s)) << "the first does not end a run";
}

TEST(ThresholdWatch, ADelayMustHavePassed) {
  const ThresholdWatch watch({threshold("p99<1ms", true, 3s)});
  EXPECT_FALSE(watch.failed(watch.judge(answers(10)), 2s));
  EXPECT_TRUE(watch.failed(watch.judge(answers(10)), 3s));
}

TEST(ThresholdWatch, TheFirstThatFailsIsNamed) {
  const ThresholdWatch watch({threshold("p99<1s", true), threshold("p50<1ms", true), threshold("max<1ms", true)});
  const auto failed = watch.failed(watch.judge(answers(10)), 1s);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->threshold, "p50<1ms");
  EXPECT_EQ(failed->actual, "10ms");
}

TEST(ThresholdWatch, NothingHasFailedBeforeTheFirstAnswer) {
  const ThresholdWatch watch({threshold("p99<1ms", true)});
  EXPECT_FALSE(watch.failed(watch.judge(answers(0)), 1s));
}

}  // namespace
}  // namespace hyperscale::results
