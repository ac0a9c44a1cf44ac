#include "results/threshold.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::results {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// 100 exchanges of 1 to 100 ms in 10 s: 96 ok, 2 with a bad status, 1 with a bad body, 1 reset; 300 of 400 iterations
// started.
RunResult result() {
  RunResult result;
  StepResult& step = result.steps.emplace_back();
  for (int i = 1; i <= 100; ++i) step.series.duration.record(i * 1ms);
  step.series.service.record(2ms);
  step.series.connect.record(3ms);
  step.series.tls.record(4ms);
  step.series.first_byte.record(5ms);
  result.lag.record(6ms);
  step.counts.outcomes[static_cast<std::size_t>(Outcome::kOk)] = 96;
  step.counts.outcomes[static_cast<std::size_t>(Outcome::kStatus)] = 2;
  step.counts.outcomes[static_cast<std::size_t>(Outcome::kBodyMismatch)] = 1;
  step.counts.outcomes[static_cast<std::size_t>(Outcome::kReset)] = 1;
  result.iterations = 300;
  result.iterations_failed = 12;
  result.dropped = 100;
  result.elapsed = 10s;
  return result;
}

Verdict judged(std::string_view text, const RunResult& of = result()) {
  const auto threshold = Threshold::parse(text);
  EXPECT_TRUE(threshold) << text << ": " << (threshold ? "" : threshold.error().context);
  return threshold ? threshold->judge(of) : Verdict();
}

bool passes(std::string_view text) {
  return judged(text).passed;
}

std::string error_of(std::string_view text) {
  const auto threshold = Threshold::parse(text);
  if (threshold) return "accepted";
  EXPECT_EQ(threshold.error().code, ErrorCode::kInvalidArgument);
  return threshold.error().context;
}

TEST(Threshold, EveryLatencyFigure) {
  EXPECT_EQ(judged("min<1h").actual, "1ms");
  EXPECT_EQ(judged("max<1h").actual, "100ms");
  EXPECT_EQ(judged("mean<1h").actual, "50.5ms");
  EXPECT_EQ(judged("p50<1h").actual, "50ms");
  EXPECT_EQ(judged("p90<1h").actual, "90ms");
  EXPECT_EQ(judged("p99<1h").actual, "99ms");
  EXPECT_EQ(judged("p99.9<1h").actual, "100ms");
  EXPECT_EQ(judged("p12.5<1h").actual, "13ms");
  EXPECT_EQ(judged("p100<1h").actual, "100ms");
  EXPECT_EQ(judged("p0<1h").actual, "1ms");
}

TEST(Threshold, EverySeries) {
  EXPECT_EQ(judged("duration.max<1h").actual, "100ms");
  EXPECT_EQ(judged("service.p99<1h").actual, "2ms");
  EXPECT_EQ(judged("connect.p99<1h").actual, "3ms");
  EXPECT_EQ(judged("tls.mean<1h").actual, "4ms");
  EXPECT_EQ(judged("first_byte.p99.9<1h").actual, "5ms");
  EXPECT_EQ(judged("lag.max<1h").actual, "6ms");
}

TEST(Threshold, EveryComparison) {
  EXPECT_TRUE(passes("max<101ms"));
  EXPECT_FALSE(passes("max<100ms"));
  EXPECT_TRUE(passes("max<=100ms"));
  EXPECT_FALSE(passes("max<=99ms"));
  EXPECT_TRUE(passes("max>99ms"));
  EXPECT_FALSE(passes("max>100ms"));
  EXPECT_TRUE(passes("max>=100ms"));
  EXPECT_FALSE(passes("max>=101ms"));
  EXPECT_TRUE(passes("max==100ms"));
  EXPECT_FALSE(passes("max==101ms"));
  EXPECT_TRUE(passes("max!=101ms"));
  EXPECT_FALSE(passes("max!=100ms"));
}

TEST(Threshold, SharesAsPercentageAndCount) {
  EXPECT_EQ(judged("errors<5%").actual, "4%");
  EXPECT_TRUE(passes("errors<5%"));
  EXPECT_FALSE(passes("errors<4%"));
  EXPECT_TRUE(passes("errors<4.5%"));
  EXPECT_EQ(judged("errors<5").actual, "4");
  EXPECT_FALSE(passes("errors==0"));
  // 96 of the 99 that were answered completely.
  EXPECT_EQ(judged("checks>95%").actual, "97%");
  EXPECT_TRUE(passes("checks>96.9%"));
  EXPECT_EQ(judged("checks>=96").actual, "96");
  EXPECT_EQ(judged("iterations_failed<5%").actual, "4%");
  EXPECT_EQ(judged("iterations_failed<10").actual, "12");
  EXPECT_EQ(judged("dropped<30%").actual, "25%");
  EXPECT_EQ(judged("dropped<1").actual, "100");
}

TEST(Threshold, RequestsAndRate) {
  EXPECT_EQ(judged("requests>=100").actual, "100");
  EXPECT_TRUE(passes("requests>=100"));
  EXPECT_EQ(judged("requests>=10/s").actual, "10/s");
  EXPECT_EQ(judged("rate>=10/s").actual, "10/s");
  EXPECT_TRUE(passes("rate>=10"));
  EXPECT_FALSE(passes("rate>10/s"));
  EXPECT_TRUE(passes("rate>=600/m"));
  EXPECT_FALSE(passes("rate>600/m"));
  EXPECT_TRUE(passes("rate==36000/h"));
  EXPECT_TRUE(passes("rate>9.5/s"));
}

TEST(Threshold, BlanksAreAllowed) {
  const Verdict verdict = judged("  p99 < 200 ms ");
  EXPECT_TRUE(verdict.passed);
  EXPECT_EQ(verdict.threshold, "p99 < 200 ms");
  EXPECT_TRUE(passes("errors\t<= 4 %"));
  EXPECT_TRUE(passes("rate >= 10 / s"));
  EXPECT_TRUE(passes("p99 < 1 m 30 s"));
  EXPECT_THAT(error_of("p99 < 1 0ms"), HasSubstr("not a duration"));
  EXPECT_THAT(error_of("requests > 1 000"), HasSubstr("not a count"));
}

TEST(Threshold, NothingSentProvesNothing) {
  const RunResult empty;
  for (const std::string_view text : {"p99<1s", "max<1s", "min>0s", "connect.p99<1s", "lag.p99<1s", "errors<1%",
                                      "checks>0%", "dropped<1%", "rate>=0/s"}) {
    const Verdict verdict = judged(text, empty);
    EXPECT_FALSE(verdict.passed) << text;
    EXPECT_EQ(verdict.actual, "no data") << text;
  }
  EXPECT_TRUE(judged("errors==0", empty).passed);
  EXPECT_FALSE(judged("requests>0", empty).passed);
  EXPECT_EQ(judged("requests>0", empty).actual, "0");
}

TEST(Threshold, TheActualFigureNeverContradictsTheVerdict) {
  RunResult slow;
  slow.steps.resize(1);
  slow.steps[0].series.duration.record(200ms + 300us);
  const Verdict failed = judged("max<=200ms", slow);
  EXPECT_FALSE(failed.passed);
  EXPECT_EQ(failed.actual, "200.3ms");
  EXPECT_EQ(judged("max<=150ms", slow).actual, "200ms");
  EXPECT_EQ(judged("max>200ms", slow).actual, "200.3ms");
}

TEST(Threshold, ATypoGetsASuggestion) {
  EXPECT_THAT(error_of("erors<1%"), HasSubstr("did you mean \"errors\"?"));
  EXPECT_THAT(error_of("conect.p99<1s"), HasSubstr("did you mean \"connect.p99\"?"));
  EXPECT_THAT(error_of("chekcs>1"), HasSubstr("did you mean \"checks\"?"));
  EXPECT_THAT(error_of("bananas<1"),
              AllOf(HasSubstr("\"bananas\" is not a metric"), HasSubstr("p99.9"), HasSubstr("rate")));
}

TEST(Threshold, EachMistakeHasItsSentence) {
  EXPECT_THAT(error_of(""), HasSubstr("no comparison; write for example p99<200ms"));
  EXPECT_THAT(error_of("p99"), HasSubstr("no comparison"));
  EXPECT_THAT(error_of("<5ms"), HasSubstr("metric is missing"));
  EXPECT_THAT(error_of("p99<"), HasSubstr("value is missing"));
  EXPECT_THAT(error_of("p99=5ms"), HasSubstr("\"=\" is not a comparison; use <"));
  EXPECT_THAT(error_of("p99=<5ms"), HasSubstr("\"=<\" is not a comparison"));
  EXPECT_THAT(error_of("p99<<5ms"), HasSubstr("\"<<\" is not a comparison"));
  EXPECT_THAT(error_of("p999<5ms"), HasSubstr("one in a thousand is p99.9"));
  EXPECT_THAT(error_of("p99<5"), HasSubstr("add a unit"));
  EXPECT_THAT(error_of("p99<1%"), HasSubstr("not a duration"));
  EXPECT_THAT(error_of("connect<5ms"), HasSubstr("such as connect.p99"));
  EXPECT_THAT(error_of("connect.errors<5"), HasSubstr("not a metric"));
  EXPECT_THAT(error_of("errors<5ms"), HasSubstr("\"5ms\" is not a count or a percentage such as 1%"));
  EXPECT_THAT(error_of("errors<x%"), HasSubstr("not a percentage"));
  EXPECT_THAT(error_of("errors<-1%"), HasSubstr("not a percentage"));
  EXPECT_THAT(error_of("errors<101%"), HasSubstr("more than all"));
  EXPECT_THAT(error_of("errors<1.5"), HasSubstr("not a count"));
  EXPECT_THAT(error_of("requests<5%"), HasSubstr("not a count or a rate"));
  EXPECT_THAT(error_of("rate>1000/d"), HasSubstr("not a rate"));
  EXPECT_THAT(error_of("rate>1e3/s"), HasSubstr("not a rate"));
  EXPECT_THAT(error_of("rate>nan"), HasSubstr("not a rate"));
}

RC_GTEST_PROP(Threshold, AnyTextIsReadOrRefused, (const std::string& noise)) {
  for (const std::string& text : {noise, "p" + noise + "<1s", "p99<" + noise, "errors<" + noise, "rate>" + noise}) {
    if (const auto threshold = Threshold::parse(text)) RC_ASSERT(!threshold->judge(result()).actual.empty());
  }
}

}  // namespace
}  // namespace hyperscale::results
