#include "report/read_figures.h"

#include "report/json_report.h"
#include "sample_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::report {
namespace {

using testing::HasSubstr;

std::string complaint_about(std::string_view json) {
  const auto figures = read_figures(json);
  if (figures) return "";
  EXPECT_EQ(figures.error().code, ErrorCode::kInvalidArgument);
  return figures.error().context;
}

std::string without(std::string text, std::string_view part) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, part.size(), "");
}

TEST(ReadFigures, GivesBackWhatWasWritten) {
  const results::RunResult run = busy_run();
  const auto figures = read_figures(json_report(run, {}, sample_build()));
  ASSERT_TRUE(figures) << figures.error().context;
  const results::Figures expected = results::figures_of(run);
  EXPECT_EQ(figures->requests, expected.requests);
  EXPECT_EQ(figures->errors, expected.errors);
  EXPECT_NEAR(figures->rate_per_s, expected.rate_per_s, 1e-6);
  EXPECT_EQ(figures->p50, expected.p50);
  EXPECT_EQ(figures->p90, expected.p90);
  EXPECT_EQ(figures->p95, expected.p95);
  EXPECT_EQ(figures->p99, expected.p99);
  EXPECT_EQ(figures->p99_9, expected.p99_9);
  EXPECT_EQ(figures->max, expected.max);
  EXPECT_EQ(figures->mean, expected.mean);
}

// What 0.1.0 wrote has neither the outcome `redirected` nor `ok_duration_ms` nor counts of failed iterations.
TEST(ReadFigures, AnOlderFileIsABaseline) {
  const auto figures = read_figures(
      R"({"schema":"hyperscale/results/1","totals":{"requests":40,"errors":2,"rate_per_s":8,"duration_ms":)"
      R"({"count":40,"min":1,"mean":2,"p50":2,"p90":3,"p95":3,"p99":4,"p99_9":4,"p99_99":4,"max":5},)"
      R"("outcomes":{"ok":38,"status":2},"redirects_followed":20}})");
  ASSERT_TRUE(figures) << figures.error().context;
  EXPECT_EQ(figures->requests, 40U);
  EXPECT_EQ(figures->redirected, 0U);
  EXPECT_EQ(figures->p99, 4ms);
}

TEST(ReadFigures, SaysWhatIsWrong) {
  EXPECT_THAT(complaint_about(""), HasSubstr("it is empty"));
  EXPECT_THAT(complaint_about("hello"), HasSubstr("it is not JSON"));
  EXPECT_THAT(complaint_about("[1]"), HasSubstr("not an object"));
  EXPECT_THAT(complaint_about("{\"a\":1}"), HasSubstr("schema is missing"));
  EXPECT_THAT(complaint_about(R"({"schema":"hyperscale/results/9"})"),
              HasSubstr("schema \"hyperscale/results/9\"; this version reads \"hyperscale/results/1\""));
  EXPECT_THAT(complaint_about(R"({"schema":"hyperscale/results/1"})"), HasSubstr("totals.rate_per_s is missing"));
}

TEST(ReadFigures, EveryFigureIsNeeded) {
  const std::string json = json_report(tiny_run(), {}, sample_build());
  EXPECT_THAT(complaint_about(without(json, "\"p99_9\": 1.5, ")), HasSubstr("totals.duration_ms.p99_9 is missing"));
  EXPECT_THAT(complaint_about(without(json, "\"requests\": 3,")), HasSubstr("totals.requests is missing"));
}

TEST(ReadFigures, NumbersThatCannotBe) {
  const auto with_p50 = [](std::string_view value) {
    std::string json = json_report(tiny_run(), {}, sample_build());
    const std::size_t at = json.find("\"p50\": ") + 7;
    return json.replace(at, json.find(',', at) - at, value);
  };
  EXPECT_THAT(complaint_about(with_p50("-1")), HasSubstr("totals.duration_ms.p50"));
  EXPECT_THAT(complaint_about(with_p50("1e300")), HasSubstr("totals.duration_ms.p50"));
  EXPECT_THAT(complaint_about(with_p50("\"fast\"")), HasSubstr("totals.duration_ms.p50"));
}

}  // namespace
}  // namespace hyperscale::report
