#include "results/threshold_scope.h"

#include "results/threshold.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::results {
namespace {

using testing::HasSubstr;

StepResult step(const char* name, Duration took, std::uint64_t good, std::uint64_t bad,
                std::map<std::string, std::string> tags) {
  StepResult out{.name = name, .series = {}, .counts = {}, .failures = {}, .tags = std::move(tags)};
  out.series.duration.record_many(took, good + bad);
  out.counts.outcomes[static_cast<std::size_t>(Outcome::kOk)] = good;
  out.counts.outcomes[static_cast<std::size_t>(Outcome::kReset)] = bad;
  return out;
}

MetricResult metric(const char* name, MetricKind kind, std::initializer_list<double> values) {
  MetricResult out;
  out.name = name;
  out.kind = kind;
  for (const double value : values) {
    out.min = out.count == 0 ? value : std::min(out.min, value);
    out.max = out.count == 0 ? value : std::max(out.max, value);
    out.last = value;
    ++out.count;
    out.nonzero += value != 0 ? 1 : 0;
    out.sum_millionths += static_cast<__int128>(value * 1e6);
    out.values.record(trend_bucket(value));
  }
  return out;
}

// Ten seconds of two steps in a workflow each, one of them with a series that a script named.
RunResult result() {
  RunResult out;
  out.elapsed = 10s;
  out.steps = {step("Shop.home", 10ms, 90, 10, {{"team", "web"}}), step("Shop.cart", 20ms, 100, 0, {{"team", "web"}}),
               step("idle", 1ms, 0, 0, {}), step("a:b", 40ms, 50, 0, {{"team", "x:y"}})};
  out.steps.back().named = true;
  out.checks = {{.name = "fast", .passed = 98, .failed = 2}, {.name = "right", .passed = 100, .failed = 0}};
  out.metrics = {metric("orders", MetricKind::kCounter, {2, 3}), metric("queue", MetricKind::kGauge, {4, -7, 5}),
                 metric("hits", MetricKind::kRate, {1, 1, 1, 0}), metric("items", MetricKind::kTrend, {1, 2, 3, 400}),
                 metric("unused", MetricKind::kTrend, {})};
  return out;
}

Verdict judged(std::string_view text) {
  const auto threshold = parse_scoped(text);
  EXPECT_TRUE(threshold) << text << ": " << (threshold ? "" : threshold.error().context);
  return threshold ? threshold->judge(result()) : Verdict();
}

std::string error_of(std::string_view text) {
  const auto threshold = parse_scoped(text);
  if (threshold) return "accepted";
  EXPECT_EQ(threshold.error().code, ErrorCode::kInvalidArgument);
  return threshold.error().context;
}

TEST(ThresholdScope, OfAStepOnlyItsFiguresCount) {
  EXPECT_EQ(judged("step:Shop.home:max<1s").actual, "10ms");
  EXPECT_EQ(judged("step:Shop.cart:errors<1%").actual, "0%");
  EXPECT_EQ(judged("step:Shop.home:errors<=9%").actual, "10%");
  EXPECT_EQ(judged("step:Shop.home:requests>1").actual, "100");
  EXPECT_EQ(judged("step:Shop.home:rate>1/s").actual, "10/s");
  EXPECT_EQ(judged("step:a:b:max<1s").actual, "40ms") << "a name may have colons";
}

TEST(ThresholdScope, OfATagAllItsStepsCountTogether) {
  EXPECT_EQ(judged("tag:team=web:requests>1").actual, "200");
  EXPECT_EQ(judged("tag:team:web:errors<9%").actual, "5%");
  EXPECT_EQ(judged("tag:team=x:y:requests>1").actual, "50");
}

TEST(ThresholdScope, OfACheckItsPassesCount) {
  EXPECT_EQ(judged("check:fast:rate>99%").actual, "98%");
  EXPECT_FALSE(judged("check:fast:rate>99%").passed);
  EXPECT_TRUE(judged("check:right:passes>=100").passed);
  EXPECT_EQ(judged("check:right:checks==100%").actual, "100%");
  EXPECT_EQ(judged("checks>99%").actual, "99%") << "of all checks together";
}

TEST(ThresholdScope, OfAMetricPlainNumbersCount) {
  EXPECT_EQ(judged("metric:orders:sum>=5").actual, "5");
  EXPECT_EQ(judged("metric:orders:total>=5").actual, "5");
  EXPECT_EQ(judged("metric:orders:count>=5").actual, "5") << "what a counter has counted";
  EXPECT_EQ(judged("metric:orders:rate>0.4/s").actual, "0.5/s");
  EXPECT_EQ(judged("metric:queue:last<6").actual, "5");
  EXPECT_TRUE(judged("metric:queue:min>-8").passed);
  EXPECT_EQ(judged("metric:queue:min>-7.5").actual, "-7");
  EXPECT_EQ(judged("metric:hits:rate>70%").actual, "75%");
  EXPECT_EQ(judged("metric:items:count>1").actual, "4");
  EXPECT_EQ(judged("metric:items:p100<=399.5").actual, "400");
  EXPECT_FALSE(judged("metric:items:p100<300ms").passed) << "a value of 300";
  EXPECT_TRUE(judged("metric:items:mean<=101.5").passed);
  EXPECT_TRUE(judged("metric:items:max<1s").passed);
}

TEST(ThresholdScope, WhatIsNotInTheResultFails) {
  for (const char* text : {"step:home:max<1s", "tag:team=none:max<1s", "check:slow:rate>1%", "metric:x:max<1"}) {
    EXPECT_EQ(judged(text).actual, "none") << text;
    EXPECT_FALSE(judged(text).passed) << text;
    EXPECT_FALSE(judged(text).measured) << text;
  }
  EXPECT_EQ(judged("step:idle:errors<1%").actual, "no data");
  EXPECT_EQ(judged("metric:unused:p95<1").actual, "no data");
  EXPECT_EQ(judged("metric:unused:count<1").actual, "0");
  EXPECT_EQ(judged("metric:queue:p95<1").actual, "no data") << "a gauge has no distribution";
}

TEST(ThresholdScope, TheVerdictShowsIt) {
  EXPECT_EQ(judged(" step:Shop.home: max < 1s ").threshold, "step:Shop.home:max < 1s");
  EXPECT_EQ(judged("max<1s").threshold, "max<1s");
  const auto threshold = Threshold::parse("rate>1%", {.check = "fast"});
  ASSERT_TRUE(threshold);
  EXPECT_EQ(threshold->text(), "check:fast:rate>1%");
}

TEST(ThresholdScope, MistakesAreExplained) {
  EXPECT_THAT(error_of("stp:home:p99<1s"), HasSubstr("did you mean \"step\"?"));
  EXPECT_THAT(error_of("workflow:home:p99<1s"), HasSubstr("write step:NAME:"));
  EXPECT_THAT(error_of("step:p99<1s"), HasSubstr("the condition is missing; write for example step:NAME:p99<200ms"));
  EXPECT_THAT(error_of("check::rate>1%"), HasSubstr("the name of the check is missing"));
  EXPECT_THAT(error_of("tag:team:p99<1s"), HasSubstr("a tag is written NAME=VALUE"));
  EXPECT_THAT(error_of("check:fast:p99<1s"), HasSubstr("\"p99\" is not a figure of a check; write rate>99%"));
  EXPECT_THAT(error_of("metric:orders:p101<1"), HasSubstr("no percentile"));
  EXPECT_THAT(error_of("metric:orders:errors<1"), HasSubstr("not a figure of a metric; use mean, sum"));
  EXPECT_THAT(error_of("metric:orders:max<1%"), HasSubstr("\"1%\" is not a number, such as 300"));
  EXPECT_THAT(error_of("metric:hits:rate>0.95"), HasSubstr("write a share such as 95%, or 10/s"));
  EXPECT_THAT(error_of("step:home:dropped<1%"), HasSubstr("of the whole run, not of a step"));
  EXPECT_THAT(error_of("step:home:lag.p99<1s"), HasSubstr("of the whole run, not of a step"));
  EXPECT_THAT(error_of("step:home:p99>"), HasSubstr("threshold \"step:home:p99>\": the value is missing"));
}

TEST(ThresholdScope, CallsAreFoundByNameAndByPath) {
  RunResult result;
  result.elapsed = 1s;
  for (const bool named : {false, true}) {
    StepResult& step = result.steps.emplace_back();
    step.name = named ? "GET /cart" : "pay";
    step.named = step.by_path = named;
    step.series.duration.record(named ? 5ms : 50ms);
    step.counts.outcomes[0] = 1;
  }
  const auto judged = [&result](const char* text) { return parse_scoped(text)->judge(result); };
  EXPECT_TRUE(judged("call:GET /cart:p95<10ms").passed);
  EXPECT_TRUE(judged("step:GET /cart:p95<10ms").passed);
  EXPECT_EQ(judged("call:pay:p95<100ms").actual, "none") << "a step is no call";
  EXPECT_EQ(judged("call:GET /cart:p95<10ms").threshold, "call:GET /cart:p95<10ms");
}

}  // namespace
}  // namespace hyperscale::results
