#include "report/warnings.h"

#include "sample_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::report {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

results::RunResult run_with(std::uint64_t ok, std::uint64_t refused) {
  results::RunResult result;
  result.elapsed = 10s;
  result.planned = 10s;
  results::StepResult& step = result.steps.emplace_back();
  step.counts.outcomes[static_cast<std::size_t>(results::Outcome::kOk)] = ok;
  step.counts.outcomes[static_cast<std::size_t>(results::Outcome::kRefused)] = refused;
  step.series.duration.record_many(20ms, ok + refused);
  result.iterations = ok + refused;
  return result;
}

TEST(Warnings, NoneForAGoodRun) {
  EXPECT_THAT(warnings_of(small_run()), IsEmpty());
}

TEST(Warnings, BusyGenerator) {
  results::RunResult result = run_with(1000, 0);
  result.executors = {{.index = 0, .message = "", .busy_fraction = 0.9},
                      {.index = 1, .message = "", .busy_fraction = 0.97}};
  EXPECT_THAT(warnings_of(result), ElementsAre(HasSubstr("executor 1 kept its core 97% busy")));
  result.executors.pop_back();
  EXPECT_THAT(warnings_of(result), IsEmpty());
}

TEST(Warnings, AGeneratorThatWaitedForItsCore) {
  results::RunResult result = run_with(1000, 0);
  result.executors = {{.index = 3, .message = "", .busy_fraction = 0.5, .wait_fraction = 0.48}};
  EXPECT_THAT(warnings_of(result),
              ElementsAre(AllOf(HasSubstr("The load generator was the limit: executor 3 was ready to run for 98%"),
                                HasSubstr("had its core for 50%"), HasSubstr("other programs used it too"))));
  result.executors = {{.index = 3, .message = "", .busy_fraction = 0.3, .wait_fraction = 0.1, .steal_fraction = 0.55}};
  EXPECT_THAT(warnings_of(result), ElementsAre(HasSubstr("the host of this machine gave the core to others")));
  result.executors = {{.index = 3, .message = "", .busy_fraction = 0.1, .wait_fraction = 0.25}};
  EXPECT_THAT(warnings_of(result), ElementsAre(HasSubstr("The load generator was slowed down: executor 3")));
  result.executors = {{.index = 3, .message = "", .busy_fraction = 0.6, .wait_fraction = 0.15}};
  EXPECT_THAT(warnings_of(result), IsEmpty());
}

TEST(Warnings, SecondsInWhichNothingMoved) {
  results::RunResult result = run_with(1000, 0);
  result.idle_seconds = 11;
  EXPECT_THAT(warnings_of(result), ElementsAre(HasSubstr("In 11 seconds iterations were due while nothing was sent")));
}

TEST(Warnings, LaggingGeneratorInOpenLoopOnly) {
  results::RunResult result = run_with(1000, 0);
  result.open_loop = true;
  result.lag.record_many(1900us, 1000);  // p50 of duration is 20 ms, so 2 ms are tolerated
  EXPECT_THAT(warnings_of(result), IsEmpty());
  result.lag = {};
  result.lag.record_many(2100us, 1000);
  EXPECT_THAT(warnings_of(result), ElementsAre(HasSubstr("2.10ms or more after their time")));
  result.open_loop = false;
  EXPECT_THAT(warnings_of(result), IsEmpty());
}

TEST(Warnings, ShortLagIsToleratedWhateverTheTargetsSpeed) {
  results::RunResult result = run_with(1000, 0);
  result.open_loop = true;
  result.steps[0].series.duration = {};
  result.steps[0].series.duration.record_many(100us, 1000);
  result.lag.record_many(900us, 1000);
  EXPECT_THAT(warnings_of(result), IsEmpty());
}

TEST(Warnings, RateUnderTheAskedOne) {
  results::RunResult result = run_with(9'000, 0);
  result.open_loop = true;
  result.asked_rate_per_s = 1000;
  EXPECT_THAT(warnings_of(result), ElementsAre(HasSubstr("The rate was 900/s, 10.0% under the 1,000/s asked")));
}

TEST(Warnings, DroppedIterations) {
  results::RunResult result = run_with(900, 0);
  result.dropped = 100;
  EXPECT_THAT(warnings_of(result), ElementsAre(HasSubstr("100 iterations (10.0%) could not start")));
  result.dropped = 1;
  EXPECT_THAT(warnings_of(result), ElementsAre(HasSubstr("1 iteration (0.11%) could not start")));
}

TEST(Warnings, InterruptedAndPartial) {
  results::RunResult result = run_with(900, 0);
  result.interrupted = true;
  result.partial = true;
  result.elapsed = 4s;
  result.executors = {{.index = 0, .end = results::ExecutorEnd::kLost, .message = "killed"},
                      {.index = 1, .message = ""}};
  EXPECT_THAT(warnings_of(result), ElementsAre(HasSubstr("stopped after 4.00s of 10.0s planned"),
                                               HasSubstr("The share of 1 of 2 executors")));
}

TEST(Warnings, FewSamples) {
  EXPECT_THAT(warnings_of(run_with(99, 0)), ElementsAre(HasSubstr("Only 99 requests were made")));
  EXPECT_THAT(warnings_of(run_with(100, 0)), IsEmpty());
}

TEST(Warnings, OnlyErrorsOrNothingAtAll) {
  EXPECT_THAT(warnings_of(run_with(0, 500)), ElementsAre(HasSubstr("All of 500 requests failed")));
  EXPECT_THAT(warnings_of(run_with(0, 0)), ElementsAre(HasSubstr("No request was made")));
}

TEST(Warnings, SaturatedHistogram) {
  results::RunResult result = run_with(500, 0);
  result.steps[0].series.duration.record_many(2h, 3);
  EXPECT_THAT(warnings_of(result), ElementsAre(HasSubstr("3 requests took longer than 1h")));
}

TEST(Warnings, ThoseOfTheResultComeFirstAndOnce) {
  results::RunResult result = run_with(900, 0);
  result.dropped = 9;
  const std::string dropped = warnings_of(result).at(0);
  result.warnings = {"the clock jumped", dropped};
  EXPECT_THAT(warnings_of(result), ElementsAre("the clock jumped", dropped));
}

}  // namespace
}  // namespace hyperscale::report
