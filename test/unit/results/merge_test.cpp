#include "results/run_result.h"
#include "some_result.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::results {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint64_t kSeeds = 200;

Recorded merged(Recorded into, const Recorded& share) {
  EXPECT_TRUE(merge(into, share));
  return into;
}

// proves: DAG-STEP-4
TEST(Merge, InAnyOrder) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Recorded a = some_result(seed);
    const Recorded b = some_result(seed + 1);
    ASSERT_TRUE(merged(a, b) == merged(b, a)) << seed;
  }
}

// proves: DAG-STEP-4
TEST(Merge, StepsKeepTheirOwnFigures) {
  Recorded sum;
  sum.steps = {{.name = "home", .series = {}, .counts = {}, .failures = {}},
               {.name = "cart", .series = {}, .counts = {}, .failures = {}}};
  Recorded more = sum;
  sum.steps[0].counts.outcomes[0] = 3;
  sum.steps[1].counts.outcomes[0] = 4;
  more.steps[0].counts.outcomes[0] = 10;
  more.steps[1].counts.outcomes[0] = 20;
  more.steps[1].counts.bytes_received = 7;
  more.steps[1].series.duration.record(5ms);
  more.steps[1].failures = {{.outcome = Outcome::kRefused, .status = 0, .message = "no", .body_start = "", .count = 2}};
  ASSERT_TRUE(merge(sum, more));
  ASSERT_EQ(sum.steps.size(), 2U);
  EXPECT_EQ(sum.steps[0].counts.requests(), 13U);
  EXPECT_EQ(sum.steps[1].counts.requests(), 24U);
  EXPECT_EQ(sum.steps[0].counts.bytes_received, 0U);
  EXPECT_EQ(sum.steps[1].counts.bytes_received, 7U);
  EXPECT_TRUE(sum.steps[0].series.duration.empty());
  EXPECT_EQ(sum.steps[1].series.duration.max(), 5ms);
  EXPECT_TRUE(sum.steps[0].failures.empty());
  EXPECT_EQ(sum.steps[1].failures.size(), 1U);
}

TEST(Merge, InAnyGrouping) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Recorded a = some_result(seed);
    const Recorded b = some_result(seed + 1);
    const Recorded c = some_result(seed + 2);
    ASSERT_TRUE(merged(merged(a, b), c) == merged(a, merged(b, c))) << seed;
  }
}

TEST(Merge, LosesNothing) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Recorded a = some_result(seed);
    const Recorded b = some_result(seed + 1);
    const Recorded both = merged(a, b);
    ASSERT_TRUE(both.total_counts().requests() == a.total_counts().requests() + b.total_counts().requests()) << seed;
    SparseHistogram durations = a.total_series().duration;
    ASSERT_TRUE(durations.merge(b.total_series().duration));
    ASSERT_TRUE(both.total_series().duration == durations) << seed;
    ASSERT_TRUE(recorded_values(both) == recorded_values(a) + recorded_values(b)) << seed;
    for (std::size_t i = 0; i < both.checks.size(); ++i)
      ASSERT_TRUE(both.checks[i].failed == a.checks[i].failed + b.checks[i].failed) << seed;
    for (std::size_t i = 0; i < both.metrics.size(); ++i)
      ASSERT_TRUE(both.metrics[i].count == a.metrics[i].count + b.metrics[i].count) << seed;
    ASSERT_TRUE(both.executors.size() == a.executors.size() + b.executors.size()) << seed;
    std::uint64_t in_windows = 0;
    for (const Recorded* result : {&a, &b}) {
      for (const Window& window : result->windows) in_windows += window.requests;
    }
    for (const Window& window : both.windows) in_windows -= window.requests;
    ASSERT_TRUE(in_windows == 0U) << seed;
  }
}

TEST(Merge, WindowsJoinByTheirStart) {
  Recorded a;
  a.windows = {{.start = 0s, .length = 1s, .requests = 10, .errors = 1, .vus_active = 5, .p99 = 20ms, .mean = 4ms},
               {.start = 1s, .length = 1s, .requests = 11}};
  Recorded b;
  b.windows = {{.start = 2s, .length = 1s, .requests = 5},
               {.start = 0s, .length = 1s, .requests = 30, .errors = 2, .vus_active = 6, .p99 = 10ms, .mean = 5ms}};
  const Recorded both = merged(a, b);
  ASSERT_EQ(both.windows.size(), 3);
  EXPECT_EQ(
      both.windows[0],
      (Window{.start = 0s, .length = 1s, .requests = 40, .errors = 3, .vus_active = 11, .p99 = 20ms, .mean = 5ms}));
  EXPECT_EQ(both.windows[1], a.windows[1]);
  EXPECT_EQ(both.windows[2], b.windows[0]);
}

// What makes the larger of two percentiles an upper bound, for windows that have let go of their histograms.
RC_GTEST_PROP(Merge, NoPercentileOfBothExceedsTheLargerOfEach, (std::uint64_t seed)) {
  Prng prng(seed);
  const SparseHistogram a = some_histogram(prng);
  const SparseHistogram b = some_histogram(prng);
  SparseHistogram both = a;
  RC_ASSERT(both.merge(b).has_value());
  for (const double percentile : {50.0, 90.0, 99.0, 100.0}) {
    const Duration larger = std::max(a.value_at_percentile(percentile), b.value_at_percentile(percentile));
    // A percentile is the upper edge of its bucket, kept below the maximum of its own histogram.
    RC_ASSERT(LatencyHistogram::bucket_of(both.value_at_percentile(percentile)).low <= larger);
  }
  RC_ASSERT(both.mean() <= std::max(a.mean(), b.mean()) + 1ns);
}

TEST(Merge, WindowsWithHistogramsMergeExactly) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Prng prng(seed);
    Recorded a, b;
    a.windows = {{.start = 1s, .length = 1s, .durations = some_histogram(prng)}};
    b.windows = {{.start = 1s, .length = 1s, .durations = some_histogram(prng)}};
    SparseHistogram durations = a.windows[0].durations;
    ASSERT_TRUE(durations.merge(b.windows[0].durations));
    const Window both = merged(a, b).windows.at(0);
    ASSERT_EQ(both.durations, durations);
    ASSERT_EQ(both.p99, durations.value_at_percentile(99)) << seed;
    ASSERT_EQ(both.mean, durations.mean()) << seed;
  }
}

TEST(Merge, FailuresJoinByKindAndKeepABody) {
  Recorded a;
  a.steps.resize(1);
  a.steps[0].failures = {{.outcome = Outcome::kStatus, .status = 503, .message = "m", .body_start = "", .count = 3},
                         {.outcome = Outcome::kReset, .status = 0, .message = "r", .body_start = "", .count = 1}};
  Recorded b;
  b.steps.resize(1);
  b.steps[0].failures = {{.outcome = Outcome::kStatus, .status = 503, .message = "m", .body_start = "busy", .count = 4},
                         {.outcome = Outcome::kStatus, .status = 500, .message = "m", .body_start = "", .count = 1}};
  const Recorded both = merged(a, b);
  EXPECT_THAT(
      both.steps[0].failures,
      ElementsAre(Failure{.outcome = Outcome::kStatus, .status = 500, .message = "m", .body_start = "", .count = 1},
                  Failure{.outcome = Outcome::kStatus, .status = 503, .message = "m", .body_start = "busy", .count = 7},
                  Failure{.outcome = Outcome::kReset, .status = 0, .message = "r", .body_start = "", .count = 1}));
}

TEST(Merge, FailuresAndWarningsHaveALimit) {
  Recorded a;
  a.steps.resize(1);
  Recorded b = a;
  for (std::size_t i = 0; i < kWarningsMax; ++i) {
    a.steps[0].failures.push_back(
        {.outcome = Outcome::kTls, .status = 0, .message = fmt::format("a{}", i), .body_start = "", .count = 1});
    a.warnings.push_back(fmt::format("a{}", i));
    b.warnings.push_back(fmt::format("b{}", i));
  }
  const Recorded both = merged(a, b);
  EXPECT_EQ(both.steps[0].failures.size(), kFailuresMax);
  EXPECT_EQ(both.warnings.size(), kWarningsMax);
}

TEST(Merge, TimesAreTheLongestAndPeaksAddUp) {
  Recorded a;
  a.elapsed = 10s;
  a.vus_max = 20;
  a.warnings = {"slow"};
  Recorded b;
  b.elapsed = 11s;
  b.vus_max = 30;
  b.partial = true;
  b.warnings = {"slow", "busy"};
  const Recorded both = merged(a, b);
  EXPECT_EQ(both.elapsed, 11s);
  EXPECT_EQ(both.vus_max, 50);
  EXPECT_TRUE(both.partial);
  EXPECT_THAT(both.warnings, ElementsAre("busy", "slow"));
}

TEST(Merge, DifferentStepsAreRefusedAndNothingChanges) {
  Recorded a = some_result(1);
  const Recorded before = a;
  Recorded other = some_result(2);
  other.steps[1].name = "logout";
  Status status = merge(a, other);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(status.error().context, HasSubstr("step 2 is \"browse\" here and \"logout\""));
  other.steps.resize(1);
  status = merge(a, other);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().context, HasSubstr("a result of 2 steps cannot take one of 1"));
  EXPECT_EQ(a, before);
}

TEST(Merge, MoreValuesThanAHistogramHoldsAreRefused) {
  Recorded a;
  a.steps.resize(1);
  a.steps[0].series.duration.record_many(1ms, kHistogramCountMax - 1);
  Recorded b;
  b.steps.resize(1);
  b.steps[0].series.service.record_many(1ms, 2);
  const Recorded before = a;
  const Status status = merge(a, b);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kTooLarge);
  EXPECT_EQ(a, before);
}

TEST(Merge, NamedSeriesAreSortedBehindPlannedSteps) {
  const auto series = [](const char* name, std::map<std::string, std::string> tags = {}) {
    StepResult out{.name = name, .series = {}, .counts = {}, .failures = {}, .tags = std::move(tags), .named = true};
    out.counts.outcomes[0] = 1;
    return out;
  };
  Recorded a;
  a.steps = {{.name = "z", .series = {}, .counts = {}, .failures = {}}, series("d"), series("b")};
  Recorded b;
  b.steps = {
      {.name = "z", .series = {}, .counts = {}, .failures = {}}, series("b"), series("c", {{"x", "1"}}), series("c")};
  const Recorded both = merged(a, b);
  std::vector<std::string> names;
  for (const StepResult& step : both.steps) names.push_back(step.name);
  EXPECT_THAT(names, ElementsAre("z", "b", "c", "c", "d"));
  EXPECT_EQ(both.steps[1].counts.requests(), 2U);
  EXPECT_EQ(both.steps[3].tags.size(), 1U);
  EXPECT_EQ(merged(b, a), both);
}

// Few values and many names: the limit is reached by some groupings before others.
TEST(Merge, NamedSeriesBeyondTheLimitAddUpInAnyGrouping) {
  const auto share = [](std::size_t from, std::size_t count) {
    Recorded out;
    for (std::size_t i = from; i < from + count; ++i) {
      StepResult series{.name = fmt::format("{:05}", i * 7919 % 1000),
                        .series = {},
                        .counts = {},
                        .failures = {},
                        .tags = {},
                        .named = true};
      series.counts.outcomes[0] = i + 1;
      out.steps.push_back(std::move(series));
    }
    settle_named_series(out.steps);
    return out;
  };
  const std::size_t each = kNamedSeriesMax / 2;
  const Recorded a = share(0, each);
  const Recorded b = share(each - 3, each);
  const Recorded c = share(2 * each, each);
  const Recorded all = merged(merged(a, b), c);
  EXPECT_EQ(all, merged(a, merged(c, b)));
  ASSERT_EQ(all.steps.size(), kNamedSeriesMax + 1);
  EXPECT_EQ(all.steps.back().name, kOtherSeries);
  EXPECT_EQ(all.total_counts().requests(),
            a.total_counts().requests() + b.total_counts().requests() + c.total_counts().requests());
}

TEST(Merge, RowsByPathGiveWayToNames) {
  std::vector<StepResult> steps;
  for (std::size_t i = 0; i < kNamedSeriesMax + 20; ++i) {
    StepResult& step = steps.emplace_back();
    step.named = true;
    step.by_path = i % 4 != 0;
    step.name = step.by_path ? fmt::format("GET /items/{}", i) : fmt::format("search {}", i);
    step.counts.outcomes[0] = 1;
  }
  settle_named_series(steps);
  ASSERT_EQ(steps.size(), kNamedSeriesMax + 1);
  EXPECT_EQ(std::ranges::count_if(steps, [](const StepResult& step) { return step.name.starts_with("search"); }), 30);
  EXPECT_EQ(steps.back().name, kOtherSeries);
  EXPECT_EQ(steps.back().counts.requests(), 20U);
}

TEST(Merge, OtherChecksOrMetricsAreRefused) {
  Recorded a;
  Recorded b;
  a.checks = {{.name = "fast"}};
  EXPECT_FALSE(merge(a, b));
  b.checks = a.checks;
  b.metrics.resize(1);
  const Status status = merge(a, b);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().context, HasSubstr("metrics"));
}

TEST(Merge, AGaugeKeepsTheValueThatWasRecordedLast) {
  const auto gauge = [](std::uint64_t count, double value, Duration at) {
    Recorded out;
    out.metrics.resize(1);
    MetricResult& metric = out.metrics[0];
    metric.kind = MetricKind::kGauge;
    metric.count = count;
    metric.min = metric.max = metric.last = value;
    metric.last_at = at;
    return out;
  };
  const Recorded both = merged(gauge(10, 5, 2s), gauge(1, -3, 3s));
  EXPECT_EQ(both.metrics[0].last, -3);
  EXPECT_EQ(both.metrics[0].min, -3);
  EXPECT_EQ(both.metrics[0].max, 5);
  const Recorded with_empty = merged(both, gauge(0, 0, 0s));
  EXPECT_EQ(with_empty.metrics[0].min, -3);
  EXPECT_EQ(with_empty.metrics[0].last, -3);
}

TEST(Join, OnlyMetricsOfTheRunAddUp) {
  Recorded shop;
  shop.checks = {{.name = "fast", .passed = 2, .failed = 1}};
  shop.metrics.resize(2);
  shop.metrics[0].name = "size";
  shop.metrics[1].name = "orders";
  shop.metrics[1].of_run = true;
  shop.metrics[1].count = 3;
  Recorded all;
  ASSERT_TRUE(join(all, "Shop", shop));
  ASSERT_TRUE(join(all, "Search", shop));
  ASSERT_EQ(all.checks.size(), 2U);
  EXPECT_EQ(all.checks[1].name, "Search.fast");
  ASSERT_EQ(all.metrics.size(), 3U);
  EXPECT_EQ(all.metrics[0].name, "Shop.size");
  EXPECT_EQ(all.metrics[1].name, "orders");
  EXPECT_EQ(all.metrics[1].count, 6U);
  EXPECT_EQ(all.metrics[2].name, "Search.size");
}

// proves: DAG-STEP-4
TEST(Join, StepsKeepApartUnderTheirWorkflow) {
  Recorded all;
  Recorded shop;
  shop.steps = {{.name = "home", .series = {}, .counts = {}, .failures = {}}};
  shop.steps[0].counts.outcomes[0] = 3;
  shop.iterations = 3;
  Recorded search = shop;
  search.steps[0].counts.outcomes[0] = 4;
  ASSERT_TRUE(join(all, "Shop", shop));
  ASSERT_TRUE(join(all, "Search", search));
  ASSERT_EQ(all.steps.size(), 2U);
  EXPECT_EQ(all.steps[0].name, "Shop.home");
  EXPECT_EQ(all.steps[1].name, "Search.home");
  EXPECT_EQ(all.steps[1].counts.requests(), 4U);
  EXPECT_EQ(all.total_counts().requests(), 7U);
  EXPECT_EQ(all.iterations, 6U);
}

}  // namespace
}  // namespace hyperscale::results
