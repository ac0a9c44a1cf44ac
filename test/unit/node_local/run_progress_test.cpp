#include "node/local/run_progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::node {
namespace {

load::LiveReading reading(std::uint64_t requests, Duration latency) {
  load::LiveReading out;
  out.requests = requests;
  out.iterations = requests;
  out.vus_busy = 4;
  out.duration.record_many(latency, requests);
  return out;
}

TEST(RunProgress, RateAndLatencyAreThoseOfTheLastSecond) {
  RunProgress progress(30s);
  load::LiveReading now = reading(1000, 50ms);
  progress.take(now, 1s);
  progress.take(now, 5s);
  now.requests += 200;
  now.duration.record_many(2ms, 200);
  progress.take(now, 6s);
  const ProgressFigures view = progress.figures();
  EXPECT_EQ(view.elapsed, 6s);
  EXPECT_EQ(view.planned, 30s);
  EXPECT_EQ(view.requests, 1200U);
  EXPECT_NEAR(view.rate_per_s, 200, 1);
  EXPECT_NEAR(static_cast<double>(view.p99.count()), 2e6, 2e3) << "the slow ones are long ago";
}

TEST(RunProgress, StatusIsOneJsonObject) {
  RunProgress progress(0s);
  EXPECT_THAT(progress.status_json("1-00000000", 17, "running"), testing::HasSubstr(R"("state":"running")"));
  load::LiveReading spoken = reading(10, 1ms);
  spoken.http.http2 = 1;
  progress.take(spoken, 500ms);
  const std::string json = progress.status_json("1-00000000", 17, "stopping");
  EXPECT_THAT(json, testing::StartsWith(R"({"run_id":"1-00000000","state":"stopping","tick":17,"elapsed_s":0.500)"));
  EXPECT_THAT(json, testing::HasSubstr(R"("requests":10,"errors":0,"rate_per_s":20.000)"));
  EXPECT_THAT(json, testing::HasSubstr(R"("http_version":"HTTP/2")"));
}

TEST(RunProgress, AskingOftenDoesNotFillTheMemory) {
  RunProgress progress(0s);
  for (int i = 0; i < 2000; ++i) progress.take(reading(1, 1ms), i * 1ms);
  EXPECT_EQ(progress.windows().size(), 1U);
}

}  // namespace
}  // namespace hyperscale::node
