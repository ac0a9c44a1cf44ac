#include "report/progress_line.h"

#include "base/terminal_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::report {
namespace {

using testing::HasSubstr;
using testing::Not;

ProgressView sample() {
  return {.elapsed = 12400ms,
          .planned = 30s,
          .requests = 1'204'110,
          .errors = 12,
          .rate_per_s = 100'330,
          .p50 = 471us,
          .p99 = 1240us,
          .vus = 50};
}

TEST(ProgressLine, SaysItAll) {
  EXPECT_EQ(
      progress_line(sample(), 140),
      "▕██████▌         ▏  12s/30s  100,330/s  1,204,110 requests  12 errors (<0.01%)  p50 471µs  p99 1.24ms  50 users "
      "busy  17s left");
  EXPECT_EQ(
      progress_line(sample(), 140, Glyphs::kAscii),
      "[######..........]  12s/30s  100,330/s  1,204,110 requests  12 errors (<0.01%)  p50 471us  p99 1.24ms  50 users "
      "busy  17s left");
}

TEST(ProgressLine, FitsEveryWidthAndKeepsTheClockLongest) {
  for (std::size_t width = 0; width < 150; ++width) EXPECT_LE(cells(progress_line(sample(), width)), width);
  EXPECT_EQ(progress_line(sample(), 8), "12s/30s");
}

TEST(ProgressLine, BoundedByCount) {
  ProgressView view = sample();
  view.planned = 0s;
  view.elapsed = 10s;
  view.iterations_planned = 1000;
  view.iterations = 250;
  const std::string line = progress_line(view, 140);
  EXPECT_THAT(line, HasSubstr("▕████            ▏"));
  EXPECT_THAT(line, HasSubstr("30s left"));
}

TEST(ProgressLine, WithoutAnEndThereIsNoBarAndNoTimeLeft) {
  ProgressView view = sample();
  view.planned = 0s;
  const std::string line = progress_line(view, 140);
  EXPECT_THAT(line, Not(HasSubstr("left")));
  EXPECT_EQ(line.substr(0, 5), "12s  ");
}

TEST(ProgressLine, Stopping) {
  ProgressView view = sample();
  view.stopping = true;
  EXPECT_THAT(progress_line(view, 140), HasSubstr("stopping"));
  EXPECT_THAT(progress_line(view, 10), HasSubstr("stopping"));
}

TEST(ProgressLine, ASecondWithoutAnswersHasNoPercentiles) {
  ProgressView view = sample();
  view.p50 = view.p99 = 0s;
  EXPECT_THAT(progress_line(view, 140), Not(HasSubstr("p50")));
}

TEST(ProgressLine, ForLogs) {
  EXPECT_EQ(
      ci_line(sample()),
      "progress 12.4s/30.0s 41% requests=1,204,110 rate=100,330/s errors=12 (<0.01%) p50=471us p99=1.24ms users=50 "
      "left=17.6s");
}

}  // namespace
}  // namespace hyperscale::report
