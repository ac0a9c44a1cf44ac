#include "report/json_report.h"

#include "sample_run.h"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <simdjson.h>

namespace hyperscale::report {
namespace {

using simdjson::dom::element;

class JsonReport : public testing::Test {
 protected:
  element parse(const results::RunResult& result, std::span<const results::Verdict> verdicts = {}) {
    text_ = json_report(result, verdicts, sample_build());
    element document;
    EXPECT_EQ(parser_.parse(text_).get(document), simdjson::SUCCESS) << text_;
    return document;
  }

  template <typename T>
  static T at(element document, std::string_view pointer) {
    T value{};
    EXPECT_EQ(document.at_pointer(pointer).get(value), simdjson::SUCCESS) << pointer;
    return value;
  }

  simdjson::dom::parser parser_;
  std::string text_;
};

TEST_F(JsonReport, HasTheFiguresOfTheRun) {
  results::RunResult run = busy_run();
  run.steps[0].counts.resent = 2;
  run.steps[1].counts.resent = 5;
  run.connection_frames = {.bytes_sent = 71, .bytes_received = 43};
  run.http.http2 = 9;
  run.lost_with_executor = 6;
  run.late = 4;
  const element json = parse(run, busy_verdicts());
  const results::Series series = run.total_series();
  EXPECT_EQ(at<std::string_view>(json, "/schema"), "hyperscale/results/1");
  EXPECT_EQ(at<std::uint64_t>(json, "/totals/requests"), run.total_counts().requests());
  EXPECT_EQ(at<std::uint64_t>(json, "/totals/errors"), run.total_counts().errors());
  EXPECT_NEAR(at<double>(json, "/totals/rate_per_s"), run.rate_per_s(), 1e-6);
  EXPECT_DOUBLE_EQ(at<double>(json, "/totals/duration_ms/p99_9"),
                   static_cast<double>(series.duration.value_at_percentile(99.9).count()) / 1e6);
  EXPECT_DOUBLE_EQ(at<double>(json, "/totals/service_ms/max"), static_cast<double>(series.service.max().count()) / 1e6);
  EXPECT_EQ(at<std::uint64_t>(json, "/totals/phases/tls_ms/count"), 120u);
  EXPECT_EQ(at<std::uint64_t>(json, "/totals/statuses/503"), run.total_counts().statuses.at(503));
  EXPECT_EQ(at<std::uint64_t>(json, "/totals/resent"), 7u);
  EXPECT_EQ(at<std::uint64_t>(json, "/steps/1/resent"), 5u);
  EXPECT_EQ(at<std::uint64_t>(json, "/totals/connection_frames/bytes_sent"), 71u);
  EXPECT_EQ(at<std::uint64_t>(json, "/totals/connection_frames/bytes_received"), 43u);
  EXPECT_EQ(at<std::uint64_t>(json, "/totals/lost_with_executor"), 6u);
  EXPECT_EQ(at<std::uint64_t>(json, "/totals/http_versions/HTTP~12"), 9u);
  EXPECT_EQ(at<std::uint64_t>(json, "/dropped"), run.dropped);
  EXPECT_EQ(at<std::uint64_t>(json, "/late"), 4u);
  EXPECT_GT(at<double>(json, "/lag_ms/p99"), 0);
  EXPECT_EQ(at<std::string_view>(json, "/steps/1/name"), "search");
  EXPECT_EQ(at<std::uint64_t>(json, "/windows/30/requests"), run.windows[30].requests);
  EXPECT_EQ(at<std::string_view>(json, "/executors/1/end"), "restarted");
  EXPECT_EQ(at<bool>(json, "/thresholds/1/passed"), false);
  EXPECT_EQ(at<bool>(json, "/thresholds_passed"), false);
  EXPECT_EQ(at<std::string_view>(json, "/tags/branch"), "main");
  EXPECT_EQ(at<std::string_view>(json, "/generator/version"), "0.2.0");
  EXPECT_EQ(at<simdjson::dom::array>(json, "/warnings").size(), 1u);
}

// What the page promises to those who merge results later.
TEST_F(JsonReport, HistogramsCanBeRebuiltExactly) {
  const results::RunResult run = busy_run();
  const element json = parse(run);
  const SparseHistogram& original = run.steps[0].series.duration;
  std::uint64_t count = 0;
  for (const element bucket : at<simdjson::dom::array>(json, "/steps/0/histograms/duration/buckets")) {
    const Duration low(at<std::int64_t>(bucket, "/0")), high(at<std::int64_t>(bucket, "/1"));
    EXPECT_EQ(LatencyHistogram::bucket_of(low), (LatencyHistogram::Range{low, high}));
    count += at<std::uint64_t>(bucket, "/2");
  }
  EXPECT_EQ(count, original.count());
  EXPECT_EQ(at<std::uint64_t>(json, "/steps/0/histograms/duration/sum_ns"),
            static_cast<std::uint64_t>(original.sum_ns()));
  EXPECT_EQ(at<std::int64_t>(json, "/steps/0/histograms/duration/max_ns"), original.max().count());
}

TEST_F(JsonReport, ForeignTextCannotBreakIt) {
  results::RunResult run = tiny_run();
  run.name = "\"},{\xff\x01";
  run.tags = {{"a\"b", "\n"}};
  run.steps[0].failures[0].body_start = std::string("\0\xfe</script>", 11);
  const element json = parse(run);
  EXPECT_EQ(at<std::string_view>(json, "/name"), "\"},{\xef\xbf\xbd\x01");
}

TEST_F(JsonReport, HasWhatScriptsCounted) {
  const element json = parse(script_run());
  EXPECT_EQ(at<std::uint64_t>(json, "/totals/checks/failed"), 37u);
  EXPECT_EQ(at<std::string_view>(json, "/checks/1/name"), "search finds shoes");
  EXPECT_EQ(at<std::uint64_t>(json, "/checks/1/passed"), 1163u);
  EXPECT_NEAR(at<double>(json, "/checks/1/pass_rate_percent"), 96.916667, 1e-6);
  EXPECT_EQ(at<std::string_view>(json, "/checks/1/example"), "expected 3 items, got 0");
  EXPECT_TRUE(json.at_pointer("/checks/2/pass_rate_percent").is_null());
  EXPECT_EQ(at<std::string_view>(json, "/metrics/0/kind"), "counter");
  EXPECT_EQ(at<double>(json, "/metrics/0/total"), 2326);
  EXPECT_NEAR(at<double>(json, "/metrics/0/rate_per_s"), 2326 / 3.0, 1e-6);
  EXPECT_EQ(at<double>(json, "/metrics/1/last"), 12);
  EXPECT_EQ(at<double>(json, "/metrics/1/min"), -2);
  EXPECT_NEAR(at<double>(json, "/metrics/2/share_percent"), 93.333333, 1e-6);
  EXPECT_EQ(at<std::uint64_t>(json, "/metrics/2/count"), 1200u);
  EXPECT_NEAR(at<double>(json, "/metrics/3/p95"), 285, 0.3);
  EXPECT_EQ(at<double>(json, "/metrics/3/max"), 300);
  EXPECT_EQ(at<std::uint64_t>(json, "/metrics/4/count"), 0u);
  EXPECT_EQ(at<std::string_view>(json, "/steps/2/tags/size"), "large");
  EXPECT_EQ(at<bool>(json, "/steps/2/named"), true);
  EXPECT_EQ(at<std::uint64_t>(json, "/steps/2/outcomes/script"), 1u);
}

TEST_F(JsonReport, ARunWithoutScriptsHasNothingOfThem) {
  const element json = parse(tiny_run());
  for (const char* field : {"/checks", "/metrics", "/totals/checks", "/steps/0/tags"})
    EXPECT_NE(json.at_pointer(field).error(), simdjson::SUCCESS) << field;
}

TEST_F(JsonReport, AnEmptyResultIsARegularFile) {
  const element json = parse(results::RunResult());
  EXPECT_EQ(at<std::uint64_t>(json, "/totals/requests"), 0u);
  EXPECT_EQ(at<double>(json, "/totals/rate_per_s"), 0);
  EXPECT_TRUE(json.at_pointer("/asked_rate_per_s").is_null());
}

TEST_F(JsonReport, ThePageShowsWhatIsWritten) {
  std::ifstream file(RESULTS_FORMAT_PAGE);
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_NE(page.find(json_report(tiny_run(), tiny_verdicts(), sample_build())), std::string::npos)
      << "docs/formats/results.md has another example than the code writes; report_samples writes it as tiny.json";
}

}  // namespace
}  // namespace hyperscale::report
