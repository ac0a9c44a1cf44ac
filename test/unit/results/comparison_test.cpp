#include "results/comparison.h"

#include <gmock/gmock.h>

namespace hyperscale::results {
namespace {

Figures figures() {
  return {.rate_per_s = 1'000,
          .requests = 10'000,
          .errors = 100,
          .p50 = 10ms,
          .p90 = 20ms,
          .p95 = 30ms,
          .p99 = 40ms,
          .p99_9 = 50ms,
          .max = 60ms,
          .mean = 12ms};
}

ComparisonRow row(std::string_view metric, const Figures& before, const Figures& after) {
  for (const ComparisonRow& candidate : compare(before, after)) {
    if (candidate.metric == metric) return candidate;
  }
  ADD_FAILURE() << "no row " << metric;
  return {};
}

TEST(Comparison, EqualFiguresAreTheSameEverywhere) {
  const auto rows = compare(figures(), figures());
  ASSERT_EQ(rows.size(), 9);
  for (const ComparisonRow& each : rows) {
    EXPECT_EQ(each.change, Change::kSame) << each.metric;
    EXPECT_EQ(each.change_percent, 0) << each.metric;
    EXPECT_EQ(each.before, each.after);
  }
}

TEST(Comparison, ALowerLatencyIsBetter) {
  Figures after = figures();
  after.p99 = 30ms;
  after.max = 90ms;
  EXPECT_EQ(row("p99", figures(), after).change, Change::kBetter);
  EXPECT_EQ(row("p99", figures(), after).change_percent, -25);
  EXPECT_EQ(row("p99", figures(), after).before, 40e6);
  EXPECT_EQ(row("max", figures(), after).change, Change::kWorse);
  EXPECT_EQ(row("max", figures(), after).change_percent, 50);
}

TEST(Comparison, AHigherRateIsBetter) {
  Figures after = figures();
  after.rate_per_s = 1'100;
  EXPECT_EQ(row("rate", figures(), after).change, Change::kBetter);
  EXPECT_EQ(row("rate", after, figures()).change, Change::kWorse);
  after.rate_per_s = 1'049;
  EXPECT_EQ(row("rate", figures(), after).change, Change::kSame);
}

TEST(Comparison, SmallChangesOfLatenciesAreTheSame) {
  Figures after = figures();
  after.p50 = 10ms + 499us;  // 100 us and more, but below 5 %
  EXPECT_EQ(row("p50", figures(), after).change, Change::kSame);
  after.p50 = 10ms + 500us;
  EXPECT_EQ(row("p50", figures(), after).change, Change::kWorse);
  Figures fast = figures();
  fast.p50 = 150us;
  after.p50 = 249us;  // 66 %, but below 100 us
  EXPECT_EQ(row("p50", fast, after).change, Change::kSame);
  after.p50 = 250us;
  EXPECT_EQ(row("p50", fast, after).change, Change::kWorse);
}

TEST(Comparison, ErrorsAreAShareOfTheRequests) {
  Figures after = figures();
  after.requests = 20'000;
  after.errors = 200;
  EXPECT_EQ(row("errors", figures(), after).change, Change::kSame);
  after.errors = 400;
  EXPECT_EQ(row("errors", figures(), after).change, Change::kWorse);
  EXPECT_EQ(row("errors", figures(), after).after, 2);
  after.errors = 0;
  EXPECT_EQ(row("errors", figures(), after).change, Change::kBetter);
  // From nothing: there is no percentage of it.
  EXPECT_EQ(row("errors", after, figures()).change, Change::kWorse);
  EXPECT_EQ(row("errors", after, figures()).change_percent, std::nullopt);
}

TEST(Comparison, ARunWithoutRequestsHasNoLatencies) {
  const auto rows = compare(figures(), Figures());
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[0].metric, "rate");
  EXPECT_EQ(rows[0].change, Change::kWorse);
}

TEST(Comparison, FiguresOfAResult) {
  RunResult result;
  result.elapsed = 10s;
  result.steps.resize(1);
  for (int i = 1; i <= 1000; ++i) result.steps[0].series.duration.record(i * 1us);
  result.steps[0].counts.outcomes[0] = 990;
  result.steps[0].counts.outcomes[1] = 10;
  const Figures of = figures_of(result);
  EXPECT_EQ(of.rate_per_s, 100);
  EXPECT_EQ(of.requests, 1000);
  EXPECT_EQ(of.errors, 10);
  EXPECT_EQ(of.p50, result.steps[0].series.duration.value_at_percentile(50));
  EXPECT_EQ(of.p90, result.steps[0].series.duration.value_at_percentile(90));
  EXPECT_EQ(of.p95, result.steps[0].series.duration.value_at_percentile(95));
  EXPECT_EQ(of.p99, result.steps[0].series.duration.value_at_percentile(99));
  EXPECT_EQ(of.p99_9, result.steps[0].series.duration.value_at_percentile(99.9));
  EXPECT_EQ(of.max, 1ms);
  EXPECT_EQ(of.mean, 500'500ns);
  EXPECT_EQ(name(Change::kBetter), "better");
}

}  // namespace
}  // namespace hyperscale::results
