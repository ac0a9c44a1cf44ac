#include "node/local/run_exit.h"

#include "intake/run_description.h"
#include "report/comparison_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::node {
namespace {

RunEnd end_with(std::uint64_t good, std::uint64_t bad) {
  RunEnd end;
  end.result.steps.emplace_back();
  auto& outcomes = end.result.steps[0].counts.outcomes;
  outcomes[static_cast<std::size_t>(results::Outcome::kOk)] = good;
  outcomes[static_cast<std::size_t>(results::Outcome::kRefused)] = bad;
  end.result.iterations = good + bad;
  end.result.iterations_failed = bad;
  return end;
}

TEST(RunExit, TellsScriptsWhatHappened) {
  const std::vector<results::Verdict> good = {{"p99<1s", "1ms", true}};
  const std::vector<results::Verdict> bad = {{"p99<1s", "1ms", true}, {"errors<1%", "2%", false}};
  EXPECT_EQ(exit_of(end_with(10, 0), good), ExitCode::kOk);
  EXPECT_EQ(exit_of(end_with(10, 5), {}), ExitCode::kOk) << "errors alone are for thresholds to judge";
  EXPECT_EQ(exit_of(end_with(10, 0), bad), ExitCode::kThreshold);
  EXPECT_EQ(exit_of(end_with(0, 5), {}), ExitCode::kFailed) << "nothing succeeded";
  EXPECT_EQ(exit_of(end_with(0, 0), {}), ExitCode::kFailed);
  EXPECT_EQ(exit_of(end_with(0, 5), bad), ExitCode::kFailed) << "no success says more than a threshold";
  RunEnd end = end_with(10, 0);
  end.result.interrupted = true;
  EXPECT_EQ(exit_of(end, good), ExitCode::kOk);
  end.result.partial = true;
  EXPECT_EQ(exit_of(end, bad), ExitCode::kFailed);
  end.aborted = true;
  EXPECT_EQ(exit_of(end, bad), ExitCode::kAborted);
}

// A redirect loop: most requests were answered well, and still nothing was achieved.
TEST(RunExit, NoIterationThatSucceededIsAFailure) {
  RunEnd end = end_with(500, 50);
  end.result.iterations = end.result.iterations_failed = 50;
  EXPECT_EQ(exit_of(end, {}), ExitCode::kFailed);
  end.result.iterations_failed = 49;
  EXPECT_EQ(exit_of(end, {}), ExitCode::kOk);
}

TEST(RunExit, AThresholdThatEndedTheRunStaysFailed) {
  const std::vector<results::RunThreshold> thresholds{{*results::Threshold::parse("errors<50%"), true},
                                                      {*results::Threshold::parse("requests>1"), true}};
  RunEnd end = end_with(10, 5);
  EXPECT_EQ(exit_of(end, verdicts_of(thresholds, end)), ExitCode::kOk);
  end.stopped_by = {.threshold = "errors<50%", .actual = "60%", .passed = false};
  const auto verdicts = verdicts_of(thresholds, end);
  EXPECT_EQ(exit_of(end, verdicts), ExitCode::kThreshold);
  EXPECT_EQ(verdicts[0].actual, "60%");
  EXPECT_TRUE(verdicts[1].passed);
}

TEST(RunDescription, SaysTheLoadInAFewWords) {
  plan::Load load;
  load.vus = 50;
  load.duration = 30s;
  EXPECT_EQ(intake::describe_load(load), "50 users for 30s");
  load.iterations = 1000;
  EXPECT_EQ(intake::describe_load(load), "50 users for 30s, at most 1,000 iterations");
  load.duration = {};
  EXPECT_EQ(intake::describe_load(load), "50 users, 1,000 iterations");
  load.stages = {{30s, 100}, {30s, 0}};
  load.duration = 60s;
  EXPECT_EQ(intake::describe_load(load), "users 0 > 100 > 0 over 1m");
  load = {};
  load.pacing = plan::Pacing::kOpen;
  load.rate_per_s = 2000;
  load.duration = 60s;
  load.vus = 500;
  load.warmup = 5s;
  EXPECT_EQ(intake::describe_load(load), "2,000/s for 1m, at most 500 users, after 5s of warm-up");
}

TEST(ComparisonTable, NamesWhatBecameBetterOrWorse) {
  results::Figures before{.rate_per_s = 1000, .requests = 1000, .errors = 0, .p50 = 1ms, .p99 = 2ms};
  results::Figures after = before;
  after.rate_per_s = 2000;
  after.p99 = 4ms;
  const std::string table = report::comparison_table(results::compare(before, after), "old\x1b.json", Glyphs::kUnicode);
  EXPECT_THAT(table, testing::ContainsRegex("rate +1,000/s +2,000/s +.100.0%  better"));
  EXPECT_THAT(table, testing::ContainsRegex("p99 +2.00ms +4.00ms +.100.0%  worse"));
  EXPECT_THAT(table, testing::Not(testing::HasSubstr("\x1b"))) << "a file name cannot move the cursor";
}

}  // namespace
}  // namespace hyperscale::node
