// What an executor does, seen from both sides: its tallies and what a real server counted.
#include "allocation_count.h"
#include "executor_harness.h"
#include "target/self_signed.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

using results::Outcome;

std::uint64_t count_of(const results::Recorded& result, Outcome outcome) {
  return result.total_counts().outcomes[static_cast<std::size_t>(outcome)];
}

struct Mode {
  const char* name;
  std::function<void(plan::Plan&)> set;
};

const Mode kModes[] = {
    {"users_for_a_time", [](plan::Plan& plan) { plan.load.duration = 300ms; }},
    {"users_for_a_count", [](plan::Plan& plan) { plan.load.iterations = 503; }},
    {"users_with_think_time",
     [](plan::Plan& plan) {
       plan.load.duration = 300ms;
       plan.load.think_time = 5ms;
     }},
    {"users_in_stages", [](plan::Plan& plan) { plan.load.stages = {{150ms, 10}, {100ms, 10}, {50ms, 0}}; }},
    {"constant_rate",
     [](plan::Plan& plan) {
       plan.load.pacing = plan::Pacing::kOpen;
       plan.load.rate_per_s = 1000;
       plan.load.duration = 300ms;
     }},
    {"rate_in_stages",
     [](plan::Plan& plan) {
       plan.load.pacing = plan::Pacing::kOpen;
       plan.load.stages = {{150ms, 2000}, {150ms, 0}};
     }},
    {"rate_for_a_count",
     [](plan::Plan& plan) {
       plan.load.pacing = plan::Pacing::kOpen;
       plan.load.rate_per_s = 2000;
       plan.load.iterations = 401;
     }},
    {"pipelined",
     [](plan::Plan& plan) {
       plan.http.pipeline = 7;
       plan.load.duration = 200ms;
     }},
    {"http2_streams",
     [](plan::Plan& plan) {
       plan.http.version = plan::HttpVersion::kHttp2;
       plan.http.streams = 5;
       plan.load.duration = 200ms;
     }},
    {"a_connection_per_request",
     [](plan::Plan& plan) {
       plan.http.keep_alive = false;
       plan.load.iterations = 200;
     }},
};

class CountTest : public testing::TestWithParam<std::tuple<Mode, std::uint32_t, const char*, LoopBackend>> {};

TEST_P(CountTest, EqualsWhatTheTargetCounted) {
  const auto& [mode, executors, path, backend] = GetParam();
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), path);
  plan.load.vus = 10;
  mode.set(plan);
  const results::Recorded result = run_plan(plan, executors, backend);
  EXPECT_GT(result.total_counts().requests(), 50U);
  EXPECT_EQ(result.total_counts().requests(), server->counters().requests);
  if (std::string_view(path) == "/") {
    EXPECT_EQ(result.total_counts().errors(), 0U);
  } else {
    EXPECT_GT(result.total_counts().errors(), 0U);
  }
  if (plan.load.iterations > 0) EXPECT_EQ(result.iterations, plan.load.iterations);
}

std::string name_of(const testing::TestParamInfo<CountTest::ParamType>& info) {
  const auto& [mode, executors, path, backend] = info.param;
  return std::string(mode.name) + (executors == 1 ? "_1_executor" : "_2_executors") +
         (std::string_view(path) == "/" ? "" : "_with_errors") + (backend == LoopBackend::kEpoll ? "_epoll" : "_uring");
}

INSTANTIATE_TEST_SUITE_P(Pacing, CountTest,
                         testing::Combine(testing::ValuesIn(kModes), testing::Values(1U, 2U),
                                          testing::Values("/", "/status/200,500@5"),
                                          testing::Values(LoopBackend::kEpoll, LoopBackend::kIoUring)),
                         name_of);

TEST(Executor, AConstantRateStartsExactlyAsManyAsAsked) {
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/");
  plan.load.pacing = plan::Pacing::kOpen;
  plan.load.rate_per_s = 800;
  plan.load.duration = 500ms;
  plan.load.vus = 50;
  const auto result = run_plan(plan, 2);
  EXPECT_EQ(result.total_counts().requests() + result.dropped, 400U);
  EXPECT_EQ(result.lag.count(), 400U);
}

// proves: HOOK-ARG-4
TEST(Executor, OpenLoopLatencyRunsFromTheIntendedStart) {
  // One user and answers that take 20 ms: arrivals every 5 ms queue up, and each waits longer than the one before.
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/delay/20ms");
  plan.load.pacing = plan::Pacing::kOpen;
  plan.load.rate_per_s = 200;
  plan.load.iterations = 20;
  plan.load.vus = 1;
  const auto result = run_plan(plan);
  const auto& series = result.steps[0].series;
  EXPECT_EQ(series.duration.count(), 20U);
  EXPECT_GE(series.duration.max(), 20ms * 20 - 5ms * 19)
      << "the last began 19 * 5 ms after the start and waited for 19 others";
  EXPECT_LT(series.service.value_at_percentile(50), series.duration.value_at_percentile(50));
  EXPECT_EQ(result.vus_max, 1U);
}

TEST(Executor, LateIterationIsDroppedAndCounted) {
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/delay/50ms");
  plan.load.pacing = plan::Pacing::kOpen;
  plan.load.rate_per_s = 500;
  plan.load.duration = 300ms;
  plan.load.vus = 1;
  plan.load.max_lateness = 60ms;
  const auto result = run_plan(plan);
  EXPECT_GT(result.dropped, 100U);
  EXPECT_EQ(result.dropped + result.total_counts().requests(), 150U);
}

// Nothing comes back while arrivals wait: whoever reads the result should know.
TEST(Executor, SecondsWithoutAnythingAreCounted) {
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/never");
  plan.load.pacing = plan::Pacing::kOpen;
  plan.load.rate_per_s = 50;
  plan.load.duration = 2500ms;
  plan.load.graceful_stop = 10ms;
  plan.load.vus = 1;
  EXPECT_EQ(run_plan(plan).idle_seconds, 2U);
  plan.steps[0].requests[0].url = plan_for(server->port(), "/delay/20ms").steps[0].requests[0].url;
  plan.load.duration = 1200ms;
  EXPECT_EQ(run_plan(plan).idle_seconds, 0U);
}

// One user and answers that never come: what waits for more than a second is seen as dropped before the end.
TEST(Executor, DropsAreSeenWhileTheRunGoesOn) {
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/never");
  plan.load.pacing = plan::Pacing::kOpen;
  plan.load.rate_per_s = 100;
  plan.load.duration = 1h;
  plan.load.graceful_stop = 10ms;
  plan.load.vus = 1;
  auto loop = make_event_loop(LoopBackend::kEpoll);
  const TallyShape shape{.steps = 1};
  auto region = stream::MappedRegion::anonymous(tally_bytes(shape));
  TallyRecorder recorder(region->data(), shape);
  const TallyReader reader(region->data(), shape);
  auto executor = Executor::make(plan, plan::segments_of(1, 1).front(), **loop, recorder);
  const MonoTime start = EventLoop::now();
  (*executor)->start(start, 0);
  const auto turn_until = [&](Duration time) {
    while (EventLoop::now() - start < time) (*loop)->run_once();
  };
  turn_until(900ms);
  EXPECT_EQ(reader.share({}).dropped, 0U) << "it may still begin";
  turn_until(1500ms);
  const std::uint64_t seen = reader.share({}).dropped;
  EXPECT_NEAR(static_cast<double>(seen), 49, 5);
  EXPECT_NEAR(static_cast<double>(reader.waiting_in_time()), 100, 5);
  EXPECT_EQ(reader.executor_reading().dropped, 0U);
  EXPECT_GE(reader.executor_reading().overdue, seen);
  (*executor)->stop();
  while (!(*executor)->done()) (*loop)->run_once();
  EXPECT_NEAR(static_cast<double>(reader.share({}).dropped), 149, 5);
  EXPECT_EQ(reader.executor_reading().overdue, 0U);
  EXPECT_EQ(reader.waiting_in_time(), 0U);
}

TEST(Executor, TheWarmUpIsNotCounted) {
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/");
  plan.load.vus = 2;
  plan.load.warmup = 100ms;
  plan.load.duration = 100ms;
  const auto result = run_plan(plan);
  EXPECT_GT(result.warmup_requests, 0U);
  EXPECT_EQ(result.warmup_requests + result.total_counts().requests(), server->counters().requests);
  EXPECT_EQ(result.steps[0].series.duration.count(), result.total_counts().requests());
  EXPECT_EQ(result.steps[0].series.connect.count(), 0U) << "connections were opened in the warm-up";
}

TEST(Executor, TheGracefulStopIsBounded) {
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/never");
  plan.load.vus = 3;
  plan.load.duration = 50ms;
  plan.load.graceful_stop = 50ms;
  const auto result = run_plan(plan);
  EXPECT_EQ(count_of(result, Outcome::kCut), 3U);
  EXPECT_EQ(result.iterations_cut, 3U);
  EXPECT_EQ(result.iterations_failed, 3U);
  EXPECT_EQ(result.total_counts().requests(), 3U);
}

TEST(Executor, StopEndsEarlyAndLetsWhatIsInFlightEnd) {
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/delay/30ms");
  plan.load.vus = 5;
  plan.load.duration = 1h;
  int turns = 0;
  const auto result = run_segment(plan, {0, 5, 5, 0, 1}, LoopBackend::kAuto, [&](Executor& executor) {
    if (++turns == 3) executor.stop();
  });
  EXPECT_GE(result.total_counts().requests(), 5U);
  EXPECT_EQ(result.total_counts().errors(), 0U);
}

// Every kind of failure has its class, and nothing is lost.
TEST(Executor, OutcomesHaveTheirClass) {
  const auto server = start_target();
  const std::map<std::string, Outcome> expected = {{"/status/404", Outcome::kStatus},
                                                   {"/reset", Outcome::kReset},
                                                   {"/half", Outcome::kClosed},
                                                   {"/garbage", Outcome::kProtocol},
                                                   {"/never", Outcome::kFirstByteTimeout},
                                                   {"/drip/64KiB/20ms", Outcome::kBodyTimeout},
                                                   {"/redirect/5", Outcome::kRedirects}};
  for (const auto& [path, outcome] : expected) {
    plan::Plan plan = plan_for(server->port(), path);
    plan.load.iterations = 3;
    plan.network.timeouts.total = 100ms;
    plan.http.redirects_max = 2;
    const auto result = run_plan(plan);
    EXPECT_EQ(count_of(result, outcome), 3U) << path;
    ASSERT_FALSE(result.steps[0].failures.empty()) << path;
    EXPECT_EQ(result.steps[0].failures[0].outcome, outcome) << path;
  }
}

TEST(Executor, RefusedConnectNamesAddressAndBacksOff) {
  std::uint16_t port = 0;
  {
    const auto gone = start_target();
    port = gone->port();
  }
  plan::Plan plan = plan_for(port, "/");
  plan.load.vus = 1;
  plan.load.duration = 300ms;
  const auto result = run_plan(plan);
  EXPECT_EQ(count_of(result, Outcome::kRefused), result.total_counts().requests());
  EXPECT_LE(result.total_counts().requests(), 10U);
  EXPECT_EQ(result.steps[0].failures[0].message,
            "connect to 127.0.0.1:" + std::to_string(port) + ": Connection refused");
}

TEST(Executor, ASuccessorDoesOnlyWhatItsPredecessorHasLeft) {
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/");
  plan.load.iterations = 100;
  auto loop = make_event_loop(LoopBackend::kEpoll);
  std::vector<std::uint64_t> memory(tally_bytes({.steps = 1}) / 8 + 1);
  TallyRecorder recorder(memory.data(), {.steps = 1});
  const auto executor = Executor::make(plan, {0, 1, 1, 0, 1}, **loop, recorder);
  ASSERT_TRUE(executor);
  (*executor)->start(EventLoop::now(), 70);
  while (!(*executor)->done()) (*loop)->run_once();
  EXPECT_EQ(server->counters().requests, 30U);
  EXPECT_EQ(TallyReader(memory.data(), {.steps = 1}).arrivals(), 100U);
}

TEST(Executor, ACountIsReachedAlsoWhenNothingCanBeSent) {
  std::uint16_t port = 0;
  {
    const auto gone = start_target();
    port = gone->port();
  }
  plan::Plan plan = plan_for(port, "/");
  plan.load.vus = 2;
  plan.load.iterations = 5;
  EXPECT_EQ(count_of(run_plan(plan), Outcome::kRefused), 5U);
}

TEST(Executor, ExpectationsDecideWhatIsAFailure) {
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/status/404");
  plan.steps[0].expect.statuses = {404};
  plan.load.iterations = 5;
  EXPECT_EQ(count_of(run_plan(plan), Outcome::kOk), 5U);
  plan.steps[0].expect.statuses = {200};
  EXPECT_EQ(count_of(run_plan(plan), Outcome::kStatus), 5U);
  plan = plan_for(server->port(), "/");
  plan.load.iterations = 5;
  plan.steps[0].expect.body_contains = "no such text";
  EXPECT_EQ(count_of(run_plan(plan), Outcome::kBodyMismatch), 5U);
}

TEST(Executor, RedirectsAreFollowedAndEachRequestCounts) {
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/redirect/3");
  plan.load.iterations = 10;
  const auto result = run_plan(plan);
  EXPECT_EQ(result.total_counts().requests(), 40U);
  EXPECT_EQ(result.total_counts().redirects_followed, 30U);
  EXPECT_EQ(result.total_counts().errors(), 0U);
  EXPECT_EQ(result.iterations, 10U);
  plan.http.redirects_max = 0;
  const auto unfollowed = run_plan(plan);
  EXPECT_EQ(unfollowed.total_counts().requests(), 10U);
  EXPECT_EQ(unfollowed.total_counts().errors(), 0U);
}

TEST(Executor, OnlyTheLastAnswerOfAChainIsJudged) {
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/redirect/5");
  plan.http.redirects_max = 3;
  plan.load.iterations = 10;
  const auto result = run_plan(plan);
  const results::Counts counts = result.total_counts();
  EXPECT_EQ(counts.requests(), server->counters().requests);
  EXPECT_EQ(count_of(result, Outcome::kRedirected), 30U);
  EXPECT_EQ(count_of(result, Outcome::kOk), 0U);
  EXPECT_EQ(counts.concluded(), 10U);
  EXPECT_EQ(counts.errors(), 10U);
  EXPECT_EQ(result.iterations, 10U);
  EXPECT_EQ(result.iterations_failed, 10U);
}

TEST(Executor, AFailedStepFailsItsIteration) {
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/");
  plan.steps.push_back(plan_for(server->port(), "/status/404").steps[0]);
  plan.steps[1].name = "second";
  plan.steps[1].depends = {"step"};
  plan.load.iterations = 7;
  const auto result = run_plan(plan);
  EXPECT_EQ(result.total_counts().errors(), 7U);
  EXPECT_EQ(result.total_counts().requests(), 14U);
  EXPECT_EQ(result.iterations_failed, 7U);
  EXPECT_EQ(result.iterations_ok(), 0U);
  plan.steps[1].expect.statuses = {404};
  EXPECT_EQ(run_plan(plan).iterations_ok(), 7U);
}

TEST(Executor, RedirectsAndCookiesWorkOverHttp2Too) {
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/redirect/2");
  plan.http.version = plan::HttpVersion::kHttp2;
  plan.load.iterations = 5;
  EXPECT_EQ(run_plan(plan).total_counts().requests(), 15U);
}

TEST(Executor, ABodyIsUnpackedBeforeItIsLookedAt) {
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/gzip/2KiB");
  plan.steps[0].requests[0].headers = {{"Accept-Encoding", "gzip"}};
  plan.steps[0].expect.body_contains = "0123456789abc";
  plan.load.iterations = 3;
  EXPECT_EQ(count_of(run_plan(plan), Outcome::kOk), 3U);
}

TEST(Executor, CookiesBelongToOneUserAndAreSentBack) {
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/cookie/set?who=me");
  plan::Step second = plan.steps[0];
  second.name = "show";
  second.requests[0].url = "http://127.0.0.1:" + std::to_string(server->port()) + "/cookie";
  second.expect.body_contains = "\"who\":\"me\"";
  second.depends = {plan.steps[0].name};
  plan.steps.push_back(second);
  plan.load.vus = 3;
  plan.load.iterations = 9;
  EXPECT_EQ(run_plan(plan).total_counts().errors(), 0U);
  plan.http.cookies = false;
  EXPECT_EQ(count_of(run_plan(plan), Outcome::kBodyMismatch), 9U);
}

// proves: EXEC-VU-5, DAG-STEP-4
TEST(Executor, StepsRunInOrderWithTheirOwnFigures) {
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/");
  plan::Step slow = plan.steps[0];
  slow.name = "slow";
  slow.depends = {plan.steps[0].name};
  slow.requests[0].url = "http://127.0.0.1:" + std::to_string(server->port()) + "/delay/20ms";
  plan.steps.push_back(slow);
  plan.load.iterations = 5;
  const auto result = run_plan(plan);
  EXPECT_EQ(result.steps[0].counts.requests(), 5U);
  EXPECT_EQ(result.steps[1].counts.requests(), 5U);
  EXPECT_EQ(result.total_counts().statuses.at(200), 10U);
  EXPECT_EQ(result.steps[0].series.duration.count(), 5U);
  EXPECT_EQ(result.steps[1].series.duration.count(), 5U);
  EXPECT_GE(result.steps[1].series.duration.min(), 20ms);
  EXPECT_EQ(result.iterations, 5U);
}

TEST(Executor, HttpsWithResumption) {
  target::TargetOptions options;
  const auto pair = target::make_self_signed();
  ASSERT_TRUE(pair);
  options.tls_cert_pem = pair->cert_pem;
  options.tls_key_pem = pair->key_pem;
  const auto server = start_target(options);
  for (const auto version : {plan::HttpVersion::kHttp1, plan::HttpVersion::kHttp2, plan::HttpVersion::kAuto}) {
    plan::Plan plan = plan_for(server->port(), "/", true);
    plan.http.version = version;
    plan.http.requests_per_connection = 2;
    plan.load.vus = 2;
    plan.load.iterations = 20;
    const auto result = run_plan(plan);
    EXPECT_EQ(result.total_counts().errors(), 0U);
    EXPECT_EQ(result.steps[0].series.tls.count(), result.total_counts().connections_opened);
    EXPECT_GE(result.total_counts().connections_opened, 10U);
    EXPECT_GT(result.total_counts().tls_resumed, 0U);
  }
  plan::Plan strict = plan_for(server->port(), "/", true);
  strict.tls.insecure = false;
  strict.load.iterations = 2;
  const auto refused = run_plan(strict);
  EXPECT_EQ(count_of(refused, Outcome::kTls), 2U);
  EXPECT_NE(refused.steps[0].failures[0].message.find("certificate"), std::string::npos);
  EXPECT_EQ(refused.total_counts().connections_opened, 2U) << "TCP did connect";
  EXPECT_EQ(refused.steps[0].series.connect.count(), 2U);
}

// proves: HOOK-ARG-4
TEST(Executor, ServiceTimeExcludesConnecting) {
  target::TargetOptions options;
  const auto pair = target::make_self_signed();
  options.tls_cert_pem = pair->cert_pem;
  options.tls_key_pem = pair->key_pem;
  const auto server = start_target(options);
  for (const auto version : {plan::HttpVersion::kHttp1, plan::HttpVersion::kHttp2}) {
    plan::Plan plan = plan_for(server->port(), "/", true);
    plan.http.version = version;
    plan.http.requests_per_connection = 1;
    plan.tls.resume = false;
    plan.load.iterations = 50;
    const auto result = run_plan(plan);
    const auto& series = result.steps[0].series;
    ASSERT_EQ(series.tls.count(), 50U);
    EXPECT_EQ(series.service.count(), 50U);
    EXPECT_LE(series.service.mean() + series.connect.mean() + series.tls.mean(), series.duration.mean() + 1us);
    EXPECT_LT(series.service.min(), series.duration.min());
  }
}

// proves: HOOK-ARG-4
TEST(Executor, ServiceTimeLastsUntilTheLastByteOfTheAnswer) {
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/drip/1KiB/10ms");
  plan.load.iterations = 2;
  const auto result = run_plan(plan);
  EXPECT_EQ(result.total_counts().errors(), 0U);
  EXPECT_GE(result.steps[0].series.service.min(), 100ms) << "16 pieces, 10 ms between them";
}

// proves part: HOOK-ARG-3 (plain requests; not the arguments of functions)
// proves part: HOOK-ARG-1 (plain requests are prepared before anything is sent; not the arguments of functions)
TEST(Executor, BadRequestIsRefusedBeforeSendingAnything) {
  const auto server = start_target();
  auto loop = make_event_loop(LoopBackend::kEpoll);
  std::vector<std::uint64_t> memory(tally_bytes({.steps = 1}) / 8 + 1);
  TallyRecorder recorder(memory.data(), {.steps = 1});
  plan::Plan plan = plan_for(server->port(), "/");
  plan.steps[0].requests[0].headers = {{"X", "a\r\nb"}};
  EXPECT_FALSE(Executor::make(plan, {0, 1, 1, 0, 1}, **loop, recorder));
  plan::Plan second_row = plan_for(server->port(), "/");
  second_row.steps[0].requests.push_back(plan.steps[0].requests[0]);
  EXPECT_FALSE(Executor::make(second_row, {0, 1, 1, 0, 1}, **loop, recorder));
  plan::Plan second_step = plan_for(server->port(), "/");
  second_step.steps.push_back(plan.steps[0]);
  second_step.steps[1].name = "second";
  EXPECT_FALSE(Executor::make(second_step, {0, 1, 1, 0, 1}, **loop, recorder));
  plan = plan_for(server->port(), "/");
  plan.endpoints.clear();
  EXPECT_FALSE(Executor::make(plan, {0, 1, 1, 0, 1}, **loop, recorder));
  EXPECT_EQ(server->counters().requests, 0U);
  EXPECT_EQ(TallyReader(memory.data(), {.steps = 1}).live().requests, 0U);
}

// Preparing a request takes memory; sending a prepared one does not.
// proves part: HOOK-ARG-3 (plain requests; not the arguments of functions)
// proves part: HOOK-ARG-2 (plain requests without a body; not the arguments of functions)
TEST(Executor, AThousandIterationsPrepareNoMoreThanTen) {
  if (!test::counts_allocations()) GTEST_SKIP();
  const auto server = start_target();
  for (const plan::HttpVersion version : {plan::HttpVersion::kHttp1, plan::HttpVersion::kHttp2}) {
    plan::Plan plan = plan_for(server->port(), "/");
    plan.steps[0].requests[0].headers = {{"Accept", "text/plain"}, {"X-Key", "a value that is not short enough"}};
    plan.http.version = version;
    const auto allocations_of = [&](std::uint64_t iterations) {
      plan.load.iterations = iterations;
      const std::size_t before = test::allocation_count();
      run_segment(plan, {0, 1, 1, 0, 1}, LoopBackend::kEpoll);
      return test::allocation_count() - before;
    };
    allocations_of(10);
    EXPECT_LT(allocations_of(1'010), allocations_of(10) + 100);
  }
}

// proves: EXEC-VU-5, DAG-STEP-2
TEST(Executor, UsersLoopConcurrentlyForTheDuration) {
  const auto server = start_target();
  plan::Plan plan = plan_for(server->port(), "/delay/10ms");
  plan.load.vus = 20;
  plan.load.duration = 200ms;
  const auto result = run_plan(plan);
  EXPECT_EQ(result.vus_max, 20U);
  EXPECT_EQ(result.total_counts().connections_opened, 20U);
  EXPECT_GT(result.total_counts().requests(), 20U * 4) << "they repeat, and not one after the other";
  EXPECT_GE(result.elapsed, 200ms);
}

// The same rows, however many executors share the work.
TEST(Executor, RowsAreDealtAlikeOnAnyExecutors) {
  std::map<std::uint32_t, std::map<std::uint16_t, std::uint64_t>> seen;
  for (const std::uint32_t executors : {1U, 2U, 3U}) {
    const auto server = start_target();
    plan::Plan plan = plan_for(server->port(), "/");
    plan.steps[0].requests.clear();
    for (const int status : {200, 201, 202, 203, 204})
      plan.steps[0].requests.push_back(
          {.method = "GET",
           .url = "http://127.0.0.1:" + std::to_string(server->port()) + "/status/" + std::to_string(status),
           .headers = {},
           .body = ""});
    plan.load.vus = 6;
    plan.load.pacing = plan::Pacing::kOpen;
    plan.load.rate_per_s = 2000;
    plan.load.iterations = 100;
    seen[executors] = run_plan(plan, executors).total_counts().statuses;
  }
  EXPECT_EQ(seen[1], seen[2]);
  EXPECT_EQ(seen[1], seen[3]);
  EXPECT_EQ(seen[1].at(204), 20U);
}

}  // namespace
}  // namespace hyperscale::load
