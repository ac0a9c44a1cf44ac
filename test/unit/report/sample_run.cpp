#include "sample_run.h"

#include "base/prng.h"

#include <algorithm>
#include <cmath>

namespace hyperscale::report {
namespace {

using results::Outcome;
using results::RunResult;
using results::StepResult;
using results::Window;

// Around `typical`, with a tail as long as those of real servers. In whole numbers, so that every machine gets the
// same.
Duration latency(Prng& prng, Duration typical, std::uint64_t spread_percent) {
  const std::uint64_t percent = 100 + (prng.below(100) + prng.below(100) + prng.below(100)) * spread_percent / 100;
  const std::uint64_t tail = prng.below(100) == 0 ? 100 + prng.below(prng.below(10) == 0 ? 3000 : 600) : 100;
  return typical * static_cast<std::int64_t>(percent * tail) / 15000;
}

void count(StepResult& step, Outcome outcome, std::uint16_t status) {
  ++step.counts.outcomes[static_cast<std::size_t>(outcome)];
  if (status != 0) ++step.counts.statuses[status];
  step.counts.bytes_sent += 118;
  step.counts.bytes_received += status == 0 ? 0 : 1432;
}

Window window_of(int second, const SparseHistogram& latencies, std::uint64_t errors) {
  return {.start = std::chrono::seconds(second),
          .length = 1s,
          .requests = latencies.count(),
          .errors = errors,
          .bytes_received = latencies.count() * 1432,
          .dropped = 0,
          .vus_active = 10,
          .p50 = latencies.value_at_percentile(50),
          .p90 = latencies.value_at_percentile(90),
          .p99 = latencies.value_at_percentile(99),
          .max = latencies.max(),
          .mean = latencies.mean()};
}

struct Second {
  SparseHistogram latencies;
  std::uint64_t errors = 0;
};

// The 12 seconds from 24 on are a stall that ends in answers of 503, the worst in its middle.
double trouble(int second) {
  return second < 24 || second > 35 ? 0 : 1 - std::abs(second - 29.5) / 6.0;
}

void run_second(StepResult& step, Second& all, Prng& prng, int second, std::uint64_t arrivals, Duration typical) {
  const double bad = trouble(second);
  for (std::uint64_t i = 0; i < arrivals; ++i) {
    const Duration service = latency(prng, typical, bad > 0 ? 300 : 60);
    const Duration waited = bad > 0 ? Duration(std::llround(prng.unit() * bad * 4e8)) : Duration::zero();
    const bool failed = prng.unit() < bad * 0.06, reset = prng.unit() < bad * 0.004;
    count(step, reset ? Outcome::kReset : (failed ? Outcome::kStatus : Outcome::kOk), reset ? 0 : (failed ? 503 : 200));
    step.series.duration.record(service + waited);
    step.series.service.record(service);
    step.series.first_byte.record(service * 8 / 10);
    all.latencies.record(service + waited);
    all.errors += failed || reset ? 1 : 0;
  }
}

void add_failures(RunResult& result) {
  StepResult& search = result.steps[1];
  const auto count_of = [](const StepResult& step, Outcome outcome) {
    return step.counts.outcomes[static_cast<std::size_t>(outcome)];
  };
  search.failures.push_back({.outcome = Outcome::kStatus,
                             .status = 503,
                             .message = "GET /search?q=shoes answered 503 Service Unavailable",
                             .body_start = "{\"error\":\"upstream timed out\",\n\t\"retry_after\":2}",
                             .count = count_of(search, Outcome::kStatus)});
  result.steps[0].failures.push_back({.outcome = Outcome::kReset,
                                      .status = 0,
                                      .message = "10.0.4.17:443: connection reset by peer",
                                      .body_start = "",
                                      .count = count_of(result.steps[0], Outcome::kReset)});
}

}  // namespace

RunResult tiny_run() {
  RunResult result;
  result.run_id = "01HZX2";
  result.name = "smoke";
  result.tags = {{"branch", "main"}};
  result.target = "http://127.0.0.1:8080/items";
  result.protocol = "HTTP/1.1";
  result.load_description = "3 requests by 1 user";
  result.started = WallTime::from_ns(1'794'793'390'250'000'000);
  result.elapsed = result.wall = 4ms;
  result.seed = 7;
  result.iterations = 3;
  result.iterations_failed = 1;
  result.http.http1 = 1;
  result.vus_max = 1;
  StepResult& step = result.steps.emplace_back();
  step.name = "GET /items";
  step.counts.connections_opened = 1;
  SparseHistogram second;
  for (const Duration took : {1000us, 1250us, 1500us}) {
    const bool failed = took == 1500us;
    count(step, failed ? Outcome::kStatus : Outcome::kOk, failed ? 503 : 200);
    step.series.duration.record(took);
    if (!failed) step.series.ok.record(took);
    step.series.service.record(took - 100us);
    step.series.first_byte.record(took - 200us);
    second.record(took);
  }
  step.series.connect.record(90us);
  step.failures.push_back({.outcome = Outcome::kStatus,
                           .status = 503,
                           .message = "GET /items answered 503 Service Unavailable",
                           .body_start = "try later\n",
                           .count = 1});
  result.windows.push_back(window_of(0, second, 1));
  result.windows.back().vus_active = 1;
  result.executors.push_back({.index = 0, .core = 0, .message = "", .cpu_s = 0.001, .busy_fraction = 0.25});
  return result;
}

std::vector<results::Verdict> tiny_verdicts() {
  return {{.threshold = "p99<200ms", .actual = "1.5ms", .passed = true},
          {.threshold = "errors<1%", .actual = "33.3%", .passed = false}};
}

RunResult small_run() {
  RunResult result;
  result.run_id = "01HZX3";
  result.target = "http://127.0.0.1:8080/items";
  result.protocol = "HTTP/1.1";
  result.load_description = "10 users for 3s";
  result.started = WallTime::from_ns(1'794'793'390'250'000'000);
  result.planned = 3s;
  result.elapsed = 3s;
  result.vus_max = 10;
  StepResult& step = result.steps.emplace_back();
  step.name = "GET /items";
  step.counts.connections_opened = 10;
  Prng prng(7);
  for (int second = 0; second < 3; ++second) {
    SparseHistogram latencies;
    for (int i = 0; i < 400; ++i) {
      const Duration took = latency(prng, 460us, 40);
      count(step, Outcome::kOk, i % 50 == 0 ? 204 : 200);
      latencies.record(took);
      step.series.duration.record(took);
      step.series.service.record(took - took / 20);
      step.series.first_byte.record(took - took / 10);
    }
    result.windows.push_back(window_of(second, latencies, 0));
  }
  for (int i = 0; i < 10; ++i) step.series.connect.record(80us + 3us * i);
  result.iterations = 1200;
  result.executors.push_back({.index = 0, .core = 0, .message = "", .cpu_s = 0.4, .busy_fraction = 0.13});
  return result;
}

RunResult busy_run() {
  RunResult result;
  result.run_id = "01HZX4QF7M";
  result.name = "shop checkout";
  result.tags = {{"branch", "main"}, {"region", "eu-west"}};
  result.target = "https://shop.example/cart";
  result.protocol = "HTTPS/2";
  result.load_description = "2000/s for 1m, at most 500 users";
  result.started = WallTime::from_ns(1'794'793'390'250'000'000);
  result.planned = 60s;
  result.elapsed = 60'120ms;
  result.open_loop = true;
  result.asked_rate_per_s = 2000;
  result.vus_max = 500;
  result.warmup_requests = 4000;
  result.steps.resize(2);
  result.steps[0].name = "cart";
  result.steps[1].name = "search";
  Prng prng(11);
  for (int second = 0; second < 60; ++second) {
    const auto dropped = static_cast<std::uint64_t>(std::max(0.0, trouble(second) - 0.5) * 800);
    const std::uint64_t arrivals = 2000 - dropped;
    Second all;
    run_second(result.steps[0], all, prng, second, arrivals, 1800us);
    run_second(result.steps[1], all, prng, second, arrivals, 5200us);
    result.windows.push_back(window_of(second, all.latencies, all.errors));
    result.windows.back().dropped = dropped;
    result.windows.back().vus_active = 30 + static_cast<std::uint32_t>(trouble(second) * 470);
    result.dropped += dropped;
    result.iterations += arrivals;
    for (std::uint64_t i = 0; i < arrivals; ++i) result.lag.record(latency(prng, 21us, 90));
  }
  for (StepResult& step : result.steps) {
    step.counts.connections_opened = 60;
    for (int i = 0; i < 60; ++i) {
      step.series.connect.record(latency(prng, 640us, 30));
      step.series.tls.record(latency(prng, 3100us, 30));
    }
  }
  add_failures(result);
  result.executors.push_back({.index = 0, .core = 2, .message = "", .cpu_s = 22.4, .busy_fraction = 0.37});
  result.executors.push_back({.index = 1,
                              .core = 3,
                              .end = results::ExecutorEnd::kRestarted,
                              .message = "killed by signal 9 after 3.2s; its share was started again",
                              .cpu_s = 21.9,
                              .busy_fraction = 0.36});
  return result;
}

RunResult script_run() {
  RunResult result = small_run();
  result.name = "Shop";
  result.iterations = 1200;
  StepResult& home = result.steps[0];
  home.name = "home";
  home.tags = {{"team", "shop"}};
  StepResult large = home;
  result.steps.push_back({.name = "prepare", .series = {}, .counts = {}, .failures = {}});
  large.name = "search";
  large.tags = {{"size", "large"}};
  large.named = true;
  count(large, Outcome::kScript, 0);
  large.failures = {{.outcome = Outcome::kScript,
                     .status = 0,
                     .message = "TypeError: undefined is not an object (shop.ts:12:9)",
                     .body_start = "",
                     .count = 1}};
  result.steps.push_back(large);
  result.checks = {{.name = "home is fast", .passed = 1200, .failed = 0},
                   {.name = "search finds shoes", .passed = 1163, .failed = 37, .example = "expected 3 items, got 0"},
                   {.name = "cart stays", .passed = 0, .failed = 0}};
  result.metrics.reserve(5);
  const auto add = [&result](const char* name, results::MetricKind kind) -> results::MetricResult& {
    result.metrics.emplace_back();
    result.metrics.back().name = name;
    result.metrics.back().kind = kind;
    return result.metrics.back();
  };
  const auto record = [](results::MetricResult& metric, int value) {
    metric.min = metric.count == 0 ? value : std::min<double>(metric.min, value);
    metric.max = metric.count == 0 ? value : std::max<double>(metric.max, value);
    metric.last = value;
    ++metric.count;
    metric.nonzero += value != 0 ? 1 : 0;
    metric.sum_millionths += static_cast<__int128>(value) * 1'000'000;
    metric.values.record(results::trend_bucket(value));
  };
  auto& orders = add("orders", results::MetricKind::kCounter);
  for (int i = 0; i < 1163; ++i) record(orders, 2);
  auto& queue = add("queue", results::MetricKind::kGauge);
  for (const int value : {3, 40, -2, 12}) record(queue, value);
  auto& hits = add("cache hits", results::MetricKind::kRate);
  for (int i = 0; i < 1200; ++i) record(hits, i % 15 == 0 ? 0 : 1);
  auto& items = add("items", results::MetricKind::kTrend);
  for (int i = 0; i < 1200; ++i) record(items, 1 + i % 300);
  add("never used", results::MetricKind::kTrend);
  return result;
}

std::vector<results::Verdict> busy_verdicts() {
  return {{.threshold = "p99<400ms", .actual = "352ms", .passed = true},
          {.threshold = "errors<0.1%", .actual = "0.64%", .passed = false},
          {.threshold = "rate>=3500/s", .actual = "3,920/s", .passed = true}};
}

BuildInfoText sample_build() {
  return {.version = "0.2.0", .commit = "0f4c37b", .compiler = "clang 19.1.7", .machine = "8 cores, Linux 6.1"};
}

}  // namespace hyperscale::report
