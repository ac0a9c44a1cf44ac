#include "live/live_json.h"

#include "live/run_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hyperscale::live {
namespace {

using testing::HasSubstr;

LiveView view() {
  LiveView view;
  view.run_id = "17-ab";
  view.run_name = "say \"hi\"\n";
  view.state = RunState::kPaused;
  view.tick = 77;
  view.elapsed = 1500ms;
  view.requests = 12;
  view.errors = 2;
  view.recent_p99 = 2500us;
  view.vus_active = 3;
  view.http_version = "HTTP/2";
  view.outcomes[0] = 10;
  view.outcomes[1] = 2;
  view.thresholds = {{.text = "p99<1ms", .actual = "2.5ms", .state = ThresholdState::kFailing}};
  view.workflows = {{.name = "shop",
                     .state = WorkflowState::kRunning,
                     .steps = {{.name = "pay\\\"now",
                                .requests = 12,
                                .errors = 2,
                                .p50 = 1ms,
                                .p99_9 = 2s,
                                .max = 3s,
                                .durations = 12,
                                .durations_sum_s = 4.5}}}};
  return view;
}

TEST(LiveJson, IsOneLineThatTellsTheMoment) {
  const std::string line = live_json(view());
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto json = nlohmann::json::parse(line);
  EXPECT_EQ(json["name"], "say \"hi\"\n");
  EXPECT_EQ(json["state"], "paused");
  EXPECT_EQ(json["tick"], 77);
  EXPECT_EQ(json["elapsed_s"], 1.5);
  EXPECT_EQ(json["requests"], 12);
  EXPECT_EQ(json["p99_ms"], 2.5);
  EXPECT_EQ(json["http_version"], "HTTP/2");
  EXPECT_EQ(json["outcomes"], (nlohmann::json{{"ok", 10}, {"status", 2}})) << "those that happened";
  EXPECT_EQ(json["thresholds"][0]["state"], "failing");
  EXPECT_EQ(json["workflows"][0]["steps"][0]["max_ms"], 3000);
}

TEST(LiveJson, StatusHasTheSameTotals) {
  const auto line = nlohmann::json::parse(live_json(view()));
  const auto status = nlohmann::json::parse(status_json(view()));
  EXPECT_FALSE(status.contains("workflows"));
  EXPECT_FALSE(status.contains("thresholds"));
  EXPECT_EQ(status["tick"], 77);
  for (const auto& [key, value] : status.items()) EXPECT_EQ(value, line[key]) << key;
}

TEST(RunMetrics, HaveASeriesPerStepWithItsNameEscaped) {
  const std::string page = run_metrics(view());
  EXPECT_THAT(page, HasSubstr("hyperscale_run_tick 77\n"));
  EXPECT_THAT(page, HasSubstr("hyperscale_run_requests_total{workflow=\"shop\",step=\"pay\\\\\\\"now\"} 12\n"));
  EXPECT_THAT(page, HasSubstr("# TYPE hyperscale_run_duration_seconds summary\n"));
  EXPECT_THAT(page, HasSubstr("quantile=\"0.5\"} 0.001"));
  EXPECT_THAT(page, HasSubstr("quantile=\"0.999\"} 2\n"));
  EXPECT_THAT(page, testing::ContainsRegex("duration_seconds_sum.*} 4.5\n"));
  EXPECT_THAT(page, testing::ContainsRegex("duration_seconds_count.*} 12\n"));
  EXPECT_THAT(page, HasSubstr("hyperscale_run_outcomes_total{outcome=\"status\"} 2\n"));
  EXPECT_THAT(page, HasSubstr("hyperscale_run_threshold_failing{threshold=\"p99<1ms\"} 1\n"));
  EXPECT_THAT(page, HasSubstr("name=\"say \\\"hi\\\"\\n\""));
}

}  // namespace
}  // namespace hyperscale::live
