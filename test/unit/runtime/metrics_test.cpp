#include "runtime/metrics/metrics.h"

#include <array>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

namespace hyperscale::runtime {
namespace {

using ::testing::HasSubstr;

struct NamedCounter {
  Counter counter;
  const char* name;
  const char* label;  // empty: none
};

constexpr std::array kRequiredCounters{
    NamedCounter{Counter::kQueueDropped, "queue_dropped_total", "queue"},
    NamedCounter{Counter::kTasksSpawned, "tasks_spawned_total", "kind"},
    NamedCounter{Counter::kTasksAborted, "tasks_aborted_total", "kind"},
    NamedCounter{Counter::kTasksCompleted, "tasks_completed_total", "kind"},
    NamedCounter{Counter::kTasksCanceled, "tasks_canceled_total", "kind"},
    NamedCounter{Counter::kIoTimeouts, "io_timeouts_total", "op"},
    NamedCounter{Counter::kIoErrors, "io_errors_total", "op"},
    NamedCounter{Counter::kBackoffRetries, "backoff_retries_total", "op"},
    NamedCounter{Counter::kBusyRejections, "busy_rejections_total", "endpoint"},
    NamedCounter{Counter::kServiceRestarts, "service_restarts_total", "service"},
    NamedCounter{Counter::kFacetBusy, "facet_busy_total", "facet"},
    NamedCounter{Counter::kFacetDeadlineTimeouts, "facet_deadline_timeouts_total", "facet"},
    NamedCounter{Counter::kBusLagged, "bus_lagged_total", "service"},
    NamedCounter{Counter::kCircuitOpen, "circuit_open_total", "endpoint"},
};

// proves part: NODE-MET-1 (names, kinds and labels; not that a node counts a connect timeout or shows states 0 and 1)
// proves: NODE-FACET-4
TEST(MetricsTest, ExportsEveryRequiredSeriesWithLabels) {
  Metrics metrics;
  for (const auto& required : kRequiredCounters) metrics.add(required.counter, "x", 2);
  metrics.add(Counter::kConfigCoalesced, "", 3);
  metrics.set(Gauge::kQueueDepth, "work", 5);
  metrics.set(Gauge::kReadyzState, "api", 2);
  metrics.set(Gauge::kReadyDependencyUnmet, "config", 1);
  metrics.set(Gauge::kSemaphoreInflight, "feed", 4);
  metrics.observe_latency("/api/v1/compute", "POST", 20ms);
  const std::string text = metrics.expose();
  for (const auto& required : kRequiredCounters) {
    EXPECT_THAT(text, HasSubstr(std::string("# TYPE ") + required.name + " counter\n"));
    EXPECT_THAT(text, HasSubstr(std::string(required.name) + "{" + required.label + "=\"x\"} 2\n"));
  }
  EXPECT_THAT(text, HasSubstr("# TYPE config_coalesced_total counter\n"));
  EXPECT_THAT(text, HasSubstr("config_coalesced_total 3\n"));
  for (const char* gauge : {"queue_depth", "readyz_state", "ready_dependency_unmet", "semaphore_inflight"}) {
    EXPECT_THAT(text, HasSubstr(std::string("# TYPE ") + gauge + " gauge\n"));
  }
  EXPECT_THAT(text, HasSubstr("queue_depth{queue=\"work\"} 5\n"));
  EXPECT_THAT(text, HasSubstr("readyz_state{service=\"api\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("ready_dependency_unmet{dep=\"config\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("semaphore_inflight{facet=\"feed\"} 4\n"));
  EXPECT_THAT(text, HasSubstr("# TYPE request_latency_seconds histogram\n"));
  EXPECT_THAT(text, HasSubstr("request_latency_seconds_count{endpoint=\"/api/v1/compute\",method=\"POST\"} 1\n"));
  EXPECT_THAT(
      text, HasSubstr("request_latency_seconds_bucket{endpoint=\"/api/v1/compute\",method=\"POST\",le=\"0.025\"} 1\n"));
  EXPECT_THAT(
      text, HasSubstr("request_latency_seconds_bucket{endpoint=\"/api/v1/compute\",method=\"POST\",le=\"0.01\"} 0\n"));
}

TEST(MetricsTest, UnlabelledSeriesExistBeforeFirstUse) {
  const Metrics metrics;
  const std::string text = metrics.expose();
  EXPECT_THAT(text, HasSubstr("config_coalesced_total 0\n"));
  EXPECT_THAT(text, HasSubstr("drain_state 0\n"));
}

TEST(MetricsTest, SamplersRunBeforeEachScrapeUntilCleared) {
  Metrics metrics;
  int depth = 0;
  metrics.on_scrape([&] { metrics.set(Gauge::kQueueDepth, "work", ++depth); });
  EXPECT_THAT(metrics.expose(), HasSubstr("queue_depth{queue=\"work\"} 1\n"));
  EXPECT_THAT(metrics.expose(), HasSubstr("queue_depth{queue=\"work\"} 2\n"));
  metrics.clear_samplers();
  EXPECT_THAT(metrics.expose(), HasSubstr("queue_depth{queue=\"work\"} 2\n"));
}

TEST(MetricsTest, CountsFromManyThreadsAddUpWhileBeingScraped) {
  constexpr int kPerThread = 5'000;
  Metrics metrics;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&metrics] {
      for (int i = 0; i < kPerThread; ++i) metrics.add(Counter::kIoErrors, i % 2 == 0 ? "read" : "write");
    });
  }
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(metrics.expose().empty());
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(metrics.value(Counter::kIoErrors, "read") + metrics.value(Counter::kIoErrors, "write"), 4 * kPerThread);
}

TEST(MetricsDeathTest, ALabelForASeriesWithoutOneIsABug) {
  EXPECT_DEATH(Metrics().add(Counter::kConfigCoalesced, "oops"), "config_coalesced_total has no label");
}

}  // namespace
}  // namespace hyperscale::runtime
