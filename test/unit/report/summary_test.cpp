#include "report/summary.h"

#include "base/terminal_text.h"
#include "sample_run.h"

#include <fstream>
#include <iterator>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::report {
namespace {

using testing::HasSubstr;
using testing::Not;

// `report_samples DIR` writes them anew, as its .txt files; look at the difference before keeping it.
std::string golden(const std::string& name) {
  std::ifstream file(std::string(REPORT_GOLDEN_DIR) + "/" + name);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, cells(line));
  return widest;
}

TEST(Summary, LooksAsInTheGoldenFiles) {
  EXPECT_EQ(text_summary(small_run(), {}, {.colour = false, .width = 80, .ascii = false}), golden("small_80.txt"));
  EXPECT_EQ(text_summary(busy_run(), busy_verdicts(), {.colour = false, .width = 100, .ascii = false}),
            golden("busy_100.txt"));
  EXPECT_EQ(text_summary(busy_run(), busy_verdicts(), {.colour = false, .width = 60, .ascii = true}),
            golden("busy_60_ascii.txt"));
  EXPECT_EQ(text_summary(script_run(), {}, {.colour = false, .width = 100, .ascii = false}), golden("script_100.txt"));
  EXPECT_EQ(text_summary(script_run(), {}, {.colour = false, .width = 60, .ascii = true}),
            golden("script_60_ascii.txt"));
}

TEST(Summary, RepeatedRequestsAreNamed) {
  results::RunResult run = small_run();
  run.steps[0].counts.resent = 3;
  EXPECT_THAT(text_summary(run, {}, {.colour = false, .width = 100, .ascii = false}),
              HasSubstr("10 connections, 3 requests sent again"));
}

TEST(Summary, LateDatagramsAreNamed) {
  results::RunResult run = small_run();
  run.late = 1;
  EXPECT_THAT(text_summary(run, {}, {.colour = false, .width = 100, .ascii = false}), HasSubstr(", 1 late datagram"));
}

TEST(Summary, NoLineIsWiderThanAsked) {
  results::RunResult run = busy_run();
  run.checks = script_run().checks;
  run.metrics = script_run().metrics;
  run.checks[0].name = run.checks[1].example = run.metrics[0].name = std::string(300, 'n');
  run.target += std::string(300, 'x');
  run.steps[0].name = std::string(300, 's');
  for (unsigned width = kSummaryWidthMin; width <= kSummaryWidthMax; width += 5)
    EXPECT_LE(widest_line(text_summary(run, busy_verdicts(), {.colour = false, .width = width, .ascii = false})),
              width);
}

TEST(Summary, APauseIsAFigureOfItsOwn) {
  results::RunResult run = busy_run();
  run.wall = run.elapsed;
  EXPECT_THAT(text_summary(run, {}, {.colour = false, .width = 100, .ascii = false}), Not(HasSubstr("wall time")));
  run.elapsed = 3s;
  run.wall = 7s;
  EXPECT_THAT(text_summary(run, {}, {.colour = false, .width = 100, .ascii = false}),
              testing::ContainsRegex("wall time +7.00s +paused for 4.00s"));
}

TEST(Summary, SeveralWorkflowsHaveATable) {
  results::RunResult run = busy_run();
  run.workflows = {{.name = "Shop",
                    .end = results::WorkflowEnd::kFailed,
                    .message = "",
                    .load_description = "",
                    .layer = 0,
                    .cores = 2,
                    .begin = {},
                    .elapsed = 30s,
                    .iterations = 20,
                    .iterations_failed = 10,
                    .dropped = 0,
                    .requests = 1000,
                    .errors = 10},
                   {.name = "Report",
                    .end = results::WorkflowEnd::kNotRun,
                    .message = "workflow Shop, on which it depends, failed",
                    .load_description = "",
                    .layer = 1,
                    .cores = 1,
                    .begin = {},
                    .elapsed = {},
                    .iterations = 0,
                    .dropped = 0,
                    .requests = 0,
                    .errors = 0}};
  const std::string text = text_summary(run, {}, {.colour = false, .width = 100, .ascii = false});
  EXPECT_THAT(text, HasSubstr("workflows            cores  requests errors failed    time"));
  EXPECT_THAT(text, HasSubstr("Shop      failed         2     1,000  1.00%  50.0%   30.0s"));
  EXPECT_THAT(text, HasSubstr("Report    not run        1         0      -      -      0s"));
  EXPECT_THAT(text, HasSubstr("Report: workflow Shop, on which it depends, failed"));
  for (unsigned width = kSummaryWidthMin; width <= kSummaryWidthMax; width += 5)
    EXPECT_LE(widest_line(text_summary(run, {}, {.colour = false, .width = width, .ascii = false})), width);
}

TEST(Summary, AStepThatMeasuredNothingIsNotInTheTable) {
  results::RunResult run = busy_run();
  run.steps[1] = {.name = "never", .series = {}, .counts = {}, .failures = {}};
  const std::string text = text_summary(run, {}, {.colour = false, .width = 80, .ascii = false});
  EXPECT_THAT(text, Not(testing::ContainsRegex("never +0")));
  EXPECT_THAT(text, HasSubstr("nothing was measured in: never"));
}

TEST(Summary, ColoursOnlyWhenAsked) {
  EXPECT_THAT(text_summary(busy_run(), busy_verdicts(), {.colour = true, .width = 100, .ascii = false}),
              HasSubstr("\x1b["));
  EXPECT_THAT(text_summary(busy_run(), busy_verdicts(), {.colour = false, .width = 100, .ascii = false}),
              Not(HasSubstr("\x1b")));
}

TEST(Summary, AsciiHasNothingElse) {
  for (const char c : text_summary(busy_run(), busy_verdicts(), {.colour = false, .width = 100, .ascii = true}))
    ASSERT_LT(static_cast<unsigned char>(c), 0x80);
}

TEST(Summary, ForeignTextCannotDriveTheTerminal) {
  results::RunResult run = busy_run();
  run.name = "evil\x1b]0;title\x07";
  run.target = "http://a/\x1b[2J";
  run.steps[0].name = "st\rep";
  run.steps[1].failures[0].body_start = "\x1b[31mred\n";
  run.steps[1].failures[0].message = "\xc2\x9b";
  run.executors[1].message = "\x1b[0m";
  run.warnings = {"\x1b[5m"};
  const std::string text =
      text_summary(run, std::vector<results::Verdict>{{.threshold = "\x1b", .actual = "\n", .passed = true}},
                   {.colour = false, .width = 100});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\r")));
  EXPECT_THAT(text, HasSubstr("\\x1b[31mred\\n"));
}

TEST(Summary, AnEmptyResultHasNoEmptySections) {
  const std::string text = text_summary(results::RunResult(), {}, {.colour = false, .width = 80, .ascii = false});
  for (const char* section : {"latency", "distribution", "failures", "executors", "thresholds", "status", "outcomes"})
    EXPECT_THAT(text, Not(HasSubstr(section)));
  EXPECT_THAT(text, HasSubstr("No request was made"));
}

}  // namespace
}  // namespace hyperscale::report
