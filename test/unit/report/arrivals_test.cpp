#include "report/arrivals.h"

#include <gtest/gtest.h>

namespace hyperscale::report {
namespace {

results::RunResult open_run(std::uint64_t iterations, Duration planned, Duration elapsed) {
  results::RunResult result;
  result.open_loop = true;
  result.asked_rate_per_s = 1000;
  result.iterations = iterations;
  result.planned = planned;
  result.elapsed = elapsed;
  result.steps.emplace_back();
  return result;
}

TEST(Arrivals, AnswersAfterTheLastStartAreNotALowerRate) {
  const results::RunResult result = open_run(10'000, 10s, 12s);
  EXPECT_DOUBLE_EQ(achieved_rate_per_s(result), 1000);
  EXPECT_FALSE(fell_behind(result));
}

TEST(Arrivals, ARunBoundedByCountIsGivenItsLastAnswer) {
  results::RunResult result = open_run(1'000, 0s, 1500ms);
  result.steps[0].series.duration.record(500ms);
  EXPECT_DOUBLE_EQ(achieved_rate_per_s(result), 1000);
}

TEST(Arrivals, MoreThanOnePercentUnderIsBehind) {
  EXPECT_FALSE(fell_behind(open_run(9'900, 10s, 10s)));
  EXPECT_TRUE(fell_behind(open_run(9'899, 10s, 10s)));
}

TEST(Arrivals, AStoppedRunIsMeasuredByItsOwnTime) {
  EXPECT_DOUBLE_EQ(achieved_rate_per_s(open_run(5'000, 10s, 5s)), 1000);
}

TEST(Arrivals, NothingToFallBehindOf) {
  results::RunResult closed = open_run(1, 10s, 10s);
  closed.open_loop = false;
  EXPECT_FALSE(fell_behind(closed));
  results::RunResult ramp = open_run(1, 10s, 10s);
  ramp.asked_rate_per_s = 0;
  EXPECT_FALSE(fell_behind(ramp));
  EXPECT_EQ(achieved_rate_per_s(results::RunResult()), 0);
}

}  // namespace
}  // namespace hyperscale::report
