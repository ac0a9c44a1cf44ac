#include "apps/hyperscale/run/run_exit.h"

#include <gtest/gtest.h>

namespace hyperscale::app {
namespace {

node::RunEnd end_with(std::uint64_t good, std::uint64_t bad) {
  node::RunEnd end;
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
  node::RunEnd end = end_with(10, 0);
  end.result.interrupted = true;
  EXPECT_EQ(exit_of(end, good), ExitCode::kOk);
  end.result.partial = true;
  EXPECT_EQ(exit_of(end, bad), ExitCode::kFailed);
  end.aborted = true;
  EXPECT_EQ(exit_of(end, bad), ExitCode::kAborted);
}

// A redirect loop: most requests were answered well, and still nothing was achieved.
TEST(RunExit, NoIterationThatSucceededIsAFailure) {
  node::RunEnd end = end_with(500, 50);
  end.result.iterations = end.result.iterations_failed = 50;
  EXPECT_EQ(exit_of(end, {}), ExitCode::kFailed);
  end.result.iterations_failed = 49;
  EXPECT_EQ(exit_of(end, {}), ExitCode::kOk);
}

TEST(RunExit, AThresholdThatEndedTheRunStaysFailed) {
  const std::vector<results::RunThreshold> thresholds{{*results::Threshold::parse("errors<50%"), true},
                                                      {*results::Threshold::parse("requests>1"), true}};
  node::RunEnd end = end_with(10, 5);
  EXPECT_EQ(exit_of(end, verdicts_of(thresholds, end)), ExitCode::kOk);
  end.stopped_by = {.threshold = "errors<50%", .actual = "60%", .passed = false};
  const auto verdicts = verdicts_of(thresholds, end);
  EXPECT_EQ(exit_of(end, verdicts), ExitCode::kThreshold);
  EXPECT_EQ(verdicts[0].actual, "60%");
  EXPECT_TRUE(verdicts[1].passed);
}

}  // namespace
}  // namespace hyperscale::app
