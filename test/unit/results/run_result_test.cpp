#include "results/run_result.h"

#include "some_result.h"

#include <gtest/gtest.h>

namespace hyperscale::results {
namespace {

TEST(RunResult, TotalsAreOverAllSteps) {
  RunResult result;
  result.steps.resize(2);
  result.steps[0].series.duration.record(1ms);
  result.steps[1].series.duration.record(3ms);
  result.steps[0].counts.outcomes[0] = 7;
  result.steps[1].counts.outcomes[0] = 2;
  result.steps[1].counts.outcomes[static_cast<std::size_t>(Outcome::kReset)] = 1;
  result.steps[0].counts.statuses = {{200, 7}};
  result.steps[1].counts.statuses = {{200, 1}, {204, 1}};
  result.elapsed = 4s;
  EXPECT_EQ(result.total_series().duration.count(), 2);
  EXPECT_EQ(result.total_series().duration.max(), 3ms);
  EXPECT_EQ(result.total_counts().requests(), 10);
  EXPECT_EQ(result.total_counts().errors(), 1);
  EXPECT_EQ(result.total_counts().statuses, (std::map<std::uint16_t, std::uint64_t>{{200, 8}, {204, 1}}));
  EXPECT_EQ(result.rate_per_s(), 2.5);
  EXPECT_EQ(recorded_values(result), 2);
}

TEST(RunResult, NothingHasNoRate) {
  EXPECT_EQ(RunResult().rate_per_s(), 0);
  EXPECT_EQ(RunResult().total_counts().requests(), 0);
}

TEST(RunResult, CountersStopInsteadOfWrapping) {
  Counts counts;
  counts.outcomes.fill(UINT64_MAX);
  EXPECT_EQ(counts.requests(), UINT64_MAX);
  add(counts, counts);
  EXPECT_EQ(counts.outcomes[0], UINT64_MAX);
}

TEST(RunResult, OneFailureInAHundredIsMany) {
  Counts counts;
  const auto set = [&counts](Outcome outcome, std::uint64_t count) {
    counts.outcomes[static_cast<std::size_t>(outcome)] = count;
  };
  set(Outcome::kOk, 99);
  EXPECT_FALSE(has_many_errors(counts));
  set(Outcome::kStatus, 1);
  EXPECT_TRUE(has_many_errors(counts));
  set(Outcome::kOk, 100);
  EXPECT_FALSE(has_many_errors(counts));
  set(Outcome::kRedirected, 500);
  set(Outcome::kOk, 99);
  EXPECT_TRUE(has_many_errors(counts)) << "redirects are not judged";
  set(Outcome::kOk, 0);
  EXPECT_FALSE(has_many_errors(counts)) << "there is no good one to show";
}

}  // namespace
}  // namespace hyperscale::results
