#include "live/live_view_builder.h"

#include <gtest/gtest.h>

namespace hyperscale::live {
namespace {

constexpr auto kOk = static_cast<std::size_t>(results::Outcome::kOk);
constexpr auto kReset = static_cast<std::size_t>(results::Outcome::kReset);

// So many answers of every step, all of the same duration. Each is newer than those made before.
results::Moment moment(std::size_t steps, std::uint64_t answers, Duration each, std::uint64_t failed = 0) {
  static std::uint64_t sequence = 0;
  results::Moment made;
  made.sequence = ++sequence;
  made.fast.steps.resize(steps);
  for (results::StepMoment& step : made.fast.steps) {
    step.outcomes[kOk] = answers;
    step.outcomes[kReset] = failed;
    step.bytes_received = answers * 100;
    step.duration_max_ns = static_cast<std::uint64_t>(each.count());
    step.durations[display_bucket(histogram_buckets::index_of(each))] = answers + failed;
  }
  made.fast.share.users = 7;
  made.fast.share.iterations = answers + 1;
  made.fast.share.dropped = 2;
  return made;
}

class LiveViewBuilderTest : public testing::Test {
 protected:
  LiveViewBuilder builder{LiveView(), {{"Browse", {"home", "search"}}, {"Pay", {"order"}}}};
};

// proves: UI-3
// proves part: UI-1 (progress, rates, latencies and outcomes; not the values of metric hooks)
TEST_F(LiveViewBuilderTest, FiguresAreSumsOfStepsAndExecutors) {
  builder.take(moment(3, 100, 2ms, 10), 5s);
  const LiveView& view = builder.view();
  EXPECT_EQ(view.requests, 330U);
  EXPECT_EQ(view.errors, 30U);
  EXPECT_EQ(view.outcomes[kReset], 30U);
  EXPECT_EQ(view.vus_active, 7U);
  EXPECT_EQ(view.iterations, 101U);
  EXPECT_EQ(view.dropped, 2U);
  EXPECT_DOUBLE_EQ(view.total_rate_per_s, 66);
  EXPECT_DOUBLE_EQ(view.rate_per_s, 66) << "since the start, when there was nothing";
  EXPECT_DOUBLE_EQ(view.workflows[0].steps[1].rate_per_s, 22);
  EXPECT_DOUBLE_EQ(view.workflows[0].total->rate_per_s, 44);
  ASSERT_EQ(view.workflows.size(), 2U);
  EXPECT_EQ(view.workflows[0].steps[1].name, "search");
  EXPECT_EQ(view.workflows[0].steps[1].requests, 110U);
  EXPECT_EQ(view.workflows[0].total->requests, 220U);
  EXPECT_EQ(view.workflows[1].total->errors, 10U);
  EXPECT_EQ(view.workflows[1].steps[0].p99, 2ms) << "no percentile is above the exact maximum";
}

// proves: DAG-STEP-4
TEST_F(LiveViewBuilderTest, EachStepHasItsOwnFigures) {
  results::Moment made = moment(3, 100, 2ms);
  made.fast.steps[1].outcomes[kOk] = 7;
  made.fast.steps[1].duration_max_ns = 1'000'000;
  made.fast.steps[2].outcomes[kReset] = 5;
  builder.take(made, 1s);
  const std::vector<StepView>& browse = builder.view().workflows[0].steps;
  const StepView& order = builder.view().workflows[1].steps[0];
  EXPECT_EQ(browse[0].requests, 100U);
  EXPECT_EQ(browse[1].requests, 7U);
  EXPECT_EQ(order.requests, 105U);
  EXPECT_EQ(browse[0].errors + browse[1].errors, 0U);
  EXPECT_EQ(order.errors, 5U);
  EXPECT_DOUBLE_EQ(browse[1].rate_per_s, 7);
  EXPECT_EQ(browse[0].max, 2ms);
  EXPECT_EQ(browse[1].max, 1ms);
}

TEST_F(LiveViewBuilderTest, TheFirstMomentHasPercentilesToo) {
  builder.take(moment(3, 100, 2ms), 1s);
  EXPECT_GE(builder.view().recent_p50, 2ms);
  EXPECT_GE(builder.view().recent_p99, 2ms);
  EXPECT_DOUBLE_EQ(builder.view().received_per_s, 30'000);
}

// proves: UI-3
// proves part: UI-1 (progress, rates, latencies and outcomes; not the values of metric hooks)
TEST_F(LiveViewBuilderTest, NowIsTheLastSecond) {
  builder.take(moment(3, 1'000, 1ms), 1s);
  builder.take(moment(3, 1'000, 1ms), 2s);
  results::Moment slow = moment(3, 1'000, 1ms);
  for (results::StepMoment& step : slow.fast.steps) {
    step.outcomes[kOk] += 10;
    step.bytes_received += 5'000;
    step.duration_max_ns = 1'000'000'000;
    step.durations[display_bucket(histogram_buckets::index_of(1s))] += 10;
  }
  builder.take(slow, 3s);
  EXPECT_GE(builder.view().recent_p50, 1s) << "the fast ones are long gone";
  EXPECT_DOUBLE_EQ(builder.view().received_per_s, 15'000);
  EXPECT_DOUBLE_EQ(builder.view().rate_per_s, 30);
  EXPECT_DOUBLE_EQ(builder.view().total_rate_per_s, 1'010) << "of the whole run";
  EXPECT_DOUBLE_EQ(builder.view().workflows[1].steps[0].rate_per_s, 10);
}

TEST_F(LiveViewBuilderTest, NothingIsARateInAPause) {
  builder.take(moment(3, 1'000, 1ms), 1s);
  builder.take(moment(3, 1'500, 1ms), 2s);
  const LiveView before = builder.view();
  EXPECT_DOUBLE_EQ(before.rate_per_s, 1'500);
  builder.take(moment(3, 1'510, 1ms), 2s);
  const LiveView& view = builder.view();
  EXPECT_GT(view.tick, before.tick);
  EXPECT_EQ(view.requests, 4'530U) << "what was in flight still counts";
  EXPECT_EQ(view.rate_per_s, 0);
  EXPECT_EQ(view.received_per_s, 0);
  EXPECT_EQ(view.workflows[0].steps[0].rate_per_s, 0);
  EXPECT_EQ(view.recent_p99, before.recent_p99);
}

TEST_F(LiveViewBuilderTest, AnOldMomentChangesNothing) {
  const results::Moment old = moment(3, 10, 1ms), late = moment(3, 20, 1ms);
  builder.take(late, 2s);
  builder.take(old, 3s);
  builder.take(late, 4s);
  EXPECT_EQ(builder.view().tick, late.sequence);
  EXPECT_EQ(builder.view().elapsed, 2s);
  EXPECT_EQ(builder.view().requests, 60U);
}

// proves part: UI-1 (progress, rates, latencies and outcomes; not the values of metric hooks)
TEST_F(LiveViewBuilderTest, APointIsMadeForEverySecond) {
  for (int tenth = 0; tenth <= 35; ++tenth)
    builder.take(moment(3, static_cast<std::uint64_t>(tenth) * 10, 1ms), tenth * 100ms);
  const PointSeries& course = builder.view().workflows[0].course;
  ASSERT_EQ(course.size(), 3U);
  EXPECT_DOUBLE_EQ(course.newest().rate_per_s, 200);
  EXPECT_DOUBLE_EQ(course.newest().errors_per_s, 0);
}

TEST_F(LiveViewBuilderTest, WarmUpHasNoRateOfItsOwn) {
  builder.take(moment(3, 0, 1ms), -2s);
  EXPECT_EQ(builder.view().elapsed, Duration::zero());
  EXPECT_EQ(builder.view().total_rate_per_s, 0);
}

TEST_F(LiveViewBuilderTest, TheLogIsBounded) {
  for (int line = 0; line < 1'000; ++line) builder.log(LogLevel::kInfo, std::to_string(line));
  ASSERT_LE(builder.view().log.size(), 200U);
  EXPECT_EQ(builder.view().log.back().text, "999");
}

}  // namespace
}  // namespace hyperscale::live
