#include "loop_test.h"
#include "runtime/clock/clock.h"
#include "runtime/log/log.h"
#include "runtime/metrics/metrics.h"
#include "runtime/task/blocking_pool.h"
#include "runtime/work/work_dispatcher.h"

#include <atomic>
#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace hyperscale::runtime {
namespace {

using concurrent::Overflow;
using ::testing::HasSubstr;

std::string refusal(std::string_view json, bool faults_allowed = false) {
  const auto job = parse_job(json, faults_allowed);
  if (job) return "accepted";
  EXPECT_EQ(job.error().code, ErrorCode::kInvalidArgument);
  return job.error().context;
}

TEST(JobTest, ReadsEveryKind) {
  const auto echo = parse_job(R"({"job":"echo","data":"hi \u00e9"})", false);
  ASSERT_TRUE(echo);
  EXPECT_EQ(echo->kind, JobKind::kEcho);
  EXPECT_EQ(echo->data.text(), "hi \xc3\xa9");
  EXPECT_EQ(parse_job(R"({"job":"hash","data":"x","rounds":100000000})", false)->rounds, kRoundsMax);
  EXPECT_EQ(parse_job(R"({"job":"delay","ms":60000})", false)->delay, kDelayMax);
  EXPECT_EQ(parse_job(R"({"job":"hang"})", true)->kind, JobKind::kHang);
  EXPECT_EQ(parse_job(R"({"job":"crash"})", true)->kind, JobKind::kCrash);
}

TEST(JobTest, RefusesEverythingElseAndSaysWhy) {
  EXPECT_THAT(refusal("{"), HasSubstr("not JSON"));
  EXPECT_THAT(refusal(""), HasSubstr("not JSON"));
  EXPECT_THAT(refusal("[1]"), HasSubstr("needs a \"job\""));
  EXPECT_THAT(refusal("7"), HasSubstr("needs a \"job\""));
  EXPECT_THAT(refusal(R"({"data":"x"})"), HasSubstr("needs a \"job\""));
  EXPECT_THAT(refusal(R"({"job":7})"), HasSubstr("needs a \"job\""));
  EXPECT_THAT(refusal(R"({"job":"mine"})"), HasSubstr("unknown job 'mine'"));
  EXPECT_THAT(refusal(R"({"job":"hang"})"), HasSubstr("admin.fault_injection"));
  EXPECT_THAT(refusal(R"({"job":"crash"})"), HasSubstr("admin.fault_injection"));
  EXPECT_THAT(refusal(R"({"job":"echo","data":7})"), HasSubstr("'data' must be a string"));
  for (const char* rounds : {"0", "-1", "1.5", "\"9\"", "100000001", "18446744073709551615"}) {
    EXPECT_THAT(refusal(std::string(R"({"job":"hash","rounds":)") + rounds + "}"),
                ::testing::StartsWith("'rounds' must be"))
        << rounds;
  }
  EXPECT_THAT(refusal(R"({"job":"delay","ms":0})"), HasSubstr("'ms' must be a whole number from 1 to 60000"));
  EXPECT_THAT(refusal(R"({"job":"delay","ms":60001})"), HasSubstr("'ms'"));
}

constexpr RetryLimits kQuickRetry{.initial_min = 2ms, .initial_max = 4ms, .cap = 20ms, .tries_max = 3};

class WorkTest : public LoopTest {
 protected:
  WorkTest() {
    LogOptions options;
    options.capture = std::make_shared<LogCapture>();
    log = std::move(*Log::open(options));
  }
  ~WorkTest() override {
    queue.close();
    telemetry.close();
    for (auto& worker : workers) worker.get();
    EXPECT_TRUE(pool.shutdown(kTestBound).empty());
  }

  // A worker that is started again when a job crashes it, as the supervisor does.
  static asio::awaitable<void> supervised(WorkTest& self) {
    for (bool crashed = true; crashed;) {
      try {
        co_await self.worker_pool.work();
        crashed = false;
      } catch (const std::exception&) {
        ++self.crashes;
      }
    }
  }
  void start_workers(int count) {
    for (int i = 0; i < count; ++i) workers.push_back(spawn(supervised(*this)));
  }
  std::future<Result<SharedBytes>> submit(std::string_view json, Duration deadline = kTestBound,
                                          CancelToken cancel = {}) {
    auto job = parse_job(json, true);
    return spawn(dispatcher.submit(std::move(*job), "compute", mono_now() + deadline, std::move(cancel)));
  }
  ErrorCode code_of(std::future<Result<SharedBytes>> answer) {
    const auto result = answer.get();
    EXPECT_FALSE(result);
    return result ? ErrorCode::kInternal : result.error().code;
  }

  Metrics metrics;
  std::unique_ptr<Log> log;
  BlockingPool pool{2, 64};
  WorkQueue queue{4, Overflow::kReject};
  TelemetryQueue telemetry{16, Overflow::kDropOldest};
  std::atomic<int> drained{0};
  std::atomic<int> crashes{0};
  WorkerPool worker_pool{queue, telemetry, pool, metrics, [this] { ++drained; }};
  WorkDispatcher dispatcher{queue, metrics, kQuickRetry, BreakerLimits{.min_samples = 4, .cool_down = 30ms}, Prng(3)};
  std::vector<std::future<void>> workers;
};
BOTH_FLAVOURS(WorkTest);

TEST_P(WorkTest, AnEchoAnswersWithTheBufferItWasGiven) {
  start_workers(1);
  const auto data = SharedBytes::copy_of(std::string_view("payload"));
  auto answer = spawn(dispatcher.submit(echo_job(data), "echo", MonoTime::max(), {}));
  const auto result = answer.get();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->data(), data.data());
}

TEST_P(WorkTest, AHashIsTheKnownOne) {
  start_workers(1);
  const auto once = submit(R"({"job":"hash","data":"abc"})").get();
  ASSERT_TRUE(once);
  EXPECT_EQ(once->text(),
            R"({"job":"hash","rounds":1,"sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"})");
  const auto twice = submit(R"({"job":"hash","data":"abc","rounds":2})").get();
  ASSERT_TRUE(twice);
  EXPECT_THAT(std::string(twice->text()),
              HasSubstr("4f8b42c22dd3729b519ba6f68d2da7cc5b2d606d05daed5ad5128cc03e6c6358"));
}

// proves part: NODE-TOP-7 (by rounds; not: by size, much data is hashed inline)
TEST_P(WorkTest, SmallHashRunsInlineHeavyOneOnThePool) {
  start_workers(1);
  EXPECT_TRUE(pool.shutdown(kTestBound).empty());  // from here on, whatever needs the pool fails
  EXPECT_TRUE(submit(R"({"job":"echo","data":"x"})").get());
  EXPECT_TRUE(submit(R"({"job":"hash","data":"x","rounds":64})").get());
  EXPECT_EQ(code_of(submit(R"({"job":"hash","data":"x","rounds":65})")), ErrorCode::kUnavailable);
}

// proves: NODE-CH-2, NODE-CH-1
// proves part: NODE-INV-9 (work queue, connections and log; a full blocking pool refuses without a count)
// proves part: OV-12 (refusals; probes, suspicions and jobs by LHM; not elections, nor the unconfirmed)
TEST_P(WorkTest, FullQueueIsBusyAtOnceAndDropsNothing) {
  std::vector<std::future<Result<SharedBytes>>> waiting;
  for (std::size_t i = 0; i < queue.capacity(); ++i) waiting.push_back(submit(R"({"job":"echo","data":"x"})"));
  ASSERT_TRUE(eventually([&] { return queue.size() == queue.capacity(); }));
  const MonoTime begin = mono_now();
  EXPECT_EQ(code_of(submit(R"({"job":"echo","data":"x"})")), ErrorCode::kBusy);
  EXPECT_LT(mono_now() - begin, 1s) << "it waited for room";
  EXPECT_EQ(metrics.value(Counter::kBusyRejections, "compute"), 1);
  start_workers(1);
  for (auto& answer : waiting) EXPECT_TRUE(answer.get());
  EXPECT_EQ(queue.counts().dropped, 0u);
}

// proves: NODE-TEST-2
TEST_P(WorkTest, JobPastDeadlineTimesOutWaitingOrRunning) {
  EXPECT_EQ(code_of(submit(R"({"job":"echo","data":"x"})", 5ms)), ErrorCode::kTimeout);
  start_workers(1);
  EXPECT_EQ(code_of(submit(R"({"job":"delay","ms":60000})", 20ms)), ErrorCode::kTimeout);
  EXPECT_TRUE(submit(R"({"job":"echo","data":"x"})").get()) << "the worker is free again";
}

TEST_P(WorkTest, AJobWhoseWorkerDiesIsTriedAgainAfterABackoff) {
  // The first attempt is lost with the item, as it is when a worker crashes; a worker comes up for the second.
  auto answer = submit(R"({"job":"echo","data":"survivor"})");
  ASSERT_TRUE(eventually([&] { return queue.size() == 1; }));
  queue.try_pop().reset();
  ASSERT_TRUE(eventually([&] { return queue.size() == 1; }));
  start_workers(1);
  const auto result = answer.get();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->text(), "survivor");
  EXPECT_EQ(metrics.value(Counter::kBackoffRetries, "compute"), 1);
}

// proves part: NODE-TIME-4 (the schedule, tries and deadline; not: that the dispatcher waits between tries)
TEST_P(WorkTest, JobThatKillsWorkersGivesUpAfterThreeTries) {
  start_workers(2);
  EXPECT_EQ(code_of(submit(R"({"job":"crash"})")), ErrorCode::kBrokenPipe);
  // The caller is told while its worker is still on the way down.
  EXPECT_TRUE(eventually([&] { return crashes == 3; }));
  EXPECT_EQ(metrics.value(Counter::kBackoffRetries, "compute"), 2);
  EXPECT_TRUE(submit(R"({"job":"echo","data":"x"})").get());
}

// proves part: NODE-TIME-4 (the schedule, tries and deadline; not: that the dispatcher waits between tries)
TEST_P(WorkTest, ARetryNeverStartsPastTheCallersDeadline) {
  dispatcher.set_limits({.initial_min = 10min, .initial_max = 10min, .cap = 10min, .tries_max = 3}, {});
  start_workers(1);
  EXPECT_EQ(code_of(submit(R"({"job":"crash"})", 10s)), ErrorCode::kBrokenPipe);
  EXPECT_EQ(metrics.value(Counter::kBackoffRetries, "compute"), 0);
}

// proves part: NODE-TIME-5 (breaker and dispatcher; not: in a node, with what is configured)
TEST_P(WorkTest, BrokenEndpointOpensCircuitAndIsProbed) {
  start_workers(2);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(code_of(submit(R"({"job":"crash"})")), ErrorCode::kBrokenPipe);
  EXPECT_EQ(metrics.value(Counter::kCircuitOpen, "compute"), 1);
  ASSERT_TRUE(eventually([&] { return crashes == 12; }));
  EXPECT_EQ(code_of(submit(R"({"job":"crash"})")), ErrorCode::kOpenCircuit);
  EXPECT_EQ(crashes, 12) << "an open circuit lets nothing through";
  auto other = spawn(dispatcher.submit(echo_job({}), "echo", MonoTime::max(), {}));
  EXPECT_TRUE(other.get()) << "other endpoints are untouched";
  // Half-open after the cool-down: the probe succeeds and the circuit closes.
  EXPECT_TRUE(eventually([&] { return submit(R"({"job":"echo","data":"x"})").get().has_value(); }));
  EXPECT_TRUE(submit(R"({"job":"echo","data":"x"})").get());
}

TEST_P(WorkTest, ACallerThatLeavesCancelsItsWork) {
  start_workers(1);
  const CancelSource caller;
  auto answer = submit(R"({"job":"delay","ms":60000})", kTestBound, caller.token());
  ASSERT_TRUE(eventually([&] { return queue.counts().popped == 1; }));
  caller.cancel();
  EXPECT_EQ(code_of(std::move(answer)), ErrorCode::kCanceled);
  EXPECT_EQ(metrics.value(Counter::kTasksCanceled, "work"), 1);
  EXPECT_TRUE(submit(R"({"job":"echo","data":"x"})").get()) << "the worker is free again";
}

TEST_P(WorkTest, WorkThatWasCancelledInTheQueueIsNotRun) {
  const CancelSource caller;
  auto answer = submit(R"({"job":"crash"})", kTestBound, caller.token());
  ASSERT_TRUE(eventually([&] { return queue.size() == 1; }));
  caller.cancel();
  start_workers(1);
  EXPECT_EQ(code_of(std::move(answer)), ErrorCode::kCanceled);
  EXPECT_EQ(crashes, 0);
}

TEST_P(WorkTest, ALongHashStopsWhenItsCallerLeaves) {
  start_workers(1);
  const CancelSource caller;
  auto answer = submit(R"({"job":"hash","data":"x","rounds":100000000})", kTestBound, caller.token());
  ASSERT_TRUE(eventually([&] { return queue.counts().popped == 1; }));
  caller.cancel();
  EXPECT_EQ(code_of(std::move(answer)), ErrorCode::kCanceled);
}

// proves part: NODE-CH-6 (work rejects, telemetry drops its oldest; the log drops its oldest lines too)
// proves: NODE-CH-1
TEST_P(WorkTest, TelemetryFloodDropsOldestNotWork) {
  start_workers(2);  // nobody reads the telemetry
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(submit(R"({"job":"echo","data":"x"})").get());
  ASSERT_TRUE(submit(R"({"job":"hash","data":"x"})").get());
  ASSERT_TRUE(eventually([&] { return telemetry.counts().pushed == 101; }));
  EXPECT_EQ(telemetry.counts().dropped, 101 - telemetry.capacity());
  std::string last;
  while (auto event = telemetry.try_pop()) last = event->job;
  EXPECT_EQ(last, "hash") << "the newest is kept";
  EXPECT_EQ(queue.counts().dropped, 0u);
}

TEST_P(WorkTest, TelemetryAddsUpPerKindOfJob) {
  TelemetrySink sink;
  auto sunk = spawn(sink.run(telemetry, *log));
  start_workers(1);
  ASSERT_TRUE(submit(R"({"job":"echo","data":"x"})").get());
  ASSERT_TRUE(submit(R"({"job":"delay","ms":1})").get());
  EXPECT_FALSE(submit(R"({"job":"delay","ms":60000})", 300ms).get());
  ASSERT_TRUE(eventually([&] { return sink.figures()["delay"].failed == 1; }));
  EXPECT_EQ(sink.figures()["echo"].done, 1u);
  EXPECT_EQ(sink.figures()["delay"].done, 1u);
  EXPECT_GE(sink.figures()["delay"].longest, 1ms);
  telemetry.close();
  sunk.get();
}

// proves: NODE-SAFE-1
TEST_P(WorkTest, AClosedQueueIsFinishedBeforeTheWorkersLeave) {
  std::vector<std::future<Result<SharedBytes>>> waiting;
  for (std::size_t i = 0; i < queue.capacity(); ++i) waiting.push_back(submit(R"({"job":"delay","ms":5})"));
  ASSERT_TRUE(eventually([&] { return queue.size() == queue.capacity(); }));
  queue.close();
  EXPECT_EQ(code_of(submit(R"({"job":"echo","data":"x"})")), ErrorCode::kUnavailable);
  EXPECT_EQ(drained, 0);
  start_workers(2);
  for (auto& answer : waiting) EXPECT_TRUE(answer.get());
  EXPECT_TRUE(eventually([&] { return drained == 1; }));
}

TEST_P(WorkTest, AnItemThatIsThrownAwayTellsItsCaller) {
  auto answer = submit(R"({"job":"echo","data":"x"})", 30ms);
  ASSERT_TRUE(eventually([&] { return queue.size() == 1; }));
  const auto shot = std::make_shared<WorkAnswer>();
  {
    const WorkItem dropped(Job{}, MonoTime::max(), {}, shot);
  }
  EXPECT_TRUE(shot->ready());
  EXPECT_EQ(code_of(std::move(answer)), ErrorCode::kTimeout);
}

}  // namespace
}  // namespace hyperscale::runtime
