#include "runtime/task/supervisor.h"

#include "loop_test.h"
#include "runtime/channel/async_queue.h"
#include "runtime/clock/clock.h"
#include "runtime/log/log.h"
#include "runtime/metrics/metrics.h"

#include <atomic>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <vector>

#include <gmock/gmock.h>

namespace hyperscale::runtime {
namespace {

constexpr RestartLimits kQuick{.first_delay_min = 5ms,
                               .first_delay_max = 10ms,
                               .delay_cap = 40ms,
                               .restarts_max = 5,
                               .window = 200ms,
                               .backoff_reset_after = 200ms,
                               .recovery_hysteresis = 20ms};

// What a task under test does, and what it saw.
struct Script {
  std::atomic<int> crashes_left{0};
  std::atomic<int> runs{0};
  std::mutex mutex;
  std::vector<MonoTime> started;

  void note_start() {
    ++runs;
    const std::lock_guard lock(mutex);
    started.push_back(mono_now());
  }
};

asio::awaitable<void> run_script(Script& script, StopToken stop) {
  script.note_start();
  if (script.crashes_left > 0) {
    --script.crashes_left;
    throw std::runtime_error("broke on purpose");
  }
  co_await stop.wait();
}

asio::awaitable<void> return_at_once(Script& script, StopToken stop) {
  script.note_start();
  if (script.crashes_left-- > 0) co_return;
  co_await stop.wait();
}

asio::awaitable<void> ignore_stop(concurrent::BoundedQueue<int>& never) {
  co_await async_pop(never);
}

asio::awaitable<void> crash_once_stopped(Script& script, StopToken stop) {
  script.note_start();
  co_await stop.wait();
  if (script.crashes_left-- > 0) throw std::runtime_error("broke while draining");
}

class SupervisorTest : public LoopTest {
 protected:
  SupervisorTest() {
    capture = std::make_shared<LogCapture>();
    LogOptions options;
    options.capture = capture;
    log = std::move(*Log::open(options));
    supervisor = make(kQuick);
  }
  ~SupervisorTest() override {
    stop_all();
    EXPECT_TRUE(eventually([&] { return all_exited.load(); })) << "a task was not joined";
    // The completion that reported it may still be on its way out of the supervisor.
    EXPECT_TRUE(loops.stop_and_join(kTestBound));
  }

  std::shared_ptr<Supervisor> make(RestartLimits limits) {
    auto made = std::make_shared<Supervisor>(
        Supervisor::Surroundings{metrics, *log, bus, stop.token(), [this] { return loops.make_strand(); }}, limits,
        Prng(7));
    made->on_all_exited([this] { all_exited = true; });
    return made;
  }
  void stop_all() {
    stop.request();
    supervisor->stopping();
  }
  void start(const std::string& name, const std::string& service, Script& script) {
    supervisor->start({name, service, [&script, token = stop.token()] { return run_script(script, token); }});
  }
  // Lives until the last task has ended.
  Script& new_script() { return scripts.emplace_back(); }
  ServiceStatus status(const std::string& service) {
    for (const auto& one : supervisor->services(mono_now())) {
      if (one.name == service) return one;
    }
    ADD_FAILURE() << "no service " << service;
    return {};
  }

  std::deque<Script> scripts;
  Metrics metrics;
  std::shared_ptr<LogCapture> capture;
  std::unique_ptr<Log> log;
  Bus bus{64};
  StopSignal stop;
  std::atomic<bool> all_exited{false};
  std::shared_ptr<Supervisor> supervisor;
};
BOTH_FLAVOURS(SupervisorTest);

// proves: NODE-TOP-5
TEST_P(SupervisorTest, CrashedTaskRestartsWithGrowingDelay) {
  Script& script = new_script();
  script.crashes_left = 3;
  auto receiver = bus.subscribe();
  start("flaky-1", "flaky", script);
  ASSERT_TRUE(eventually([&] { return script.runs == 4; }));
  const std::lock_guard lock(script.mutex);
  // The delays are those of the policy: at least its first, doubled twice, less the jitter.
  EXPECT_GE(script.started[1] - script.started[0], 5ms * JitteredBackoff::kJitterFloor);
  EXPECT_GE(script.started[2] - script.started[1], 10ms * JitteredBackoff::kJitterFloor);
  EXPECT_GE(script.started[3] - script.started[2], 20ms * JitteredBackoff::kJitterFloor);
  EXPECT_EQ(metrics.value(Counter::kServiceRestarts, "flaky"), 3);
  EXPECT_EQ(metrics.value(Counter::kTasksSpawned, "flaky"), 4);
  EXPECT_TRUE(capture->wait_for("flaky-1 broke on purpose; restarting in", kTestBound));
  std::optional<BusEvent> event;
  ASSERT_EQ(receiver.try_recv(event), concurrent::Recv::kItem);
  EXPECT_EQ(std::get<ServiceCrashedEvent>(*event).service, "flaky");
}

// Another task of the same service has broken often; this one begins with the first delay all the same.
// proves: NODE-TOP-5
TEST_P(SupervisorTest, CrashesAreCountedForEachTask) {
  supervisor->set_limits({.first_delay_min = 5ms, .first_delay_max = 5ms, .delay_cap = 1s});
  Script& often = new_script();
  often.crashes_left = 4;
  start("often-1", "flaky", often);
  ASSERT_TRUE(eventually([&] { return often.runs == 5; }));
  Script& once = new_script();
  once.crashes_left = 1;
  start("once-1", "flaky", once);
  EXPECT_TRUE(capture->wait_for("once-1 broke on purpose; restarting in 5ms", kTestBound));
}

// proves: NODE-TOP-6
TEST_P(SupervisorTest, SixRestartsDegradeServiceUntilItIsStable) {
  Script& flaky = new_script();
  Script& steady = new_script();
  start("steady-1", "steady", steady);
  flaky.crashes_left = 5;
  start("flaky-1", "flaky", flaky);
  ASSERT_TRUE(eventually([&] { return flaky.runs == 6; }));
  EXPECT_TRUE(eventually([&] { return status("flaky").state == ServiceState::kReady; }));
  EXPECT_FALSE(capture->contains("degraded"));
  // The sixth within the window.
  Script& worse = new_script();
  worse.crashes_left = 6;
  start("worse-1", "worse", worse);
  ASSERT_TRUE(eventually([&] { return status("worse").restarts == 6; }));
  EXPECT_EQ(status("worse").state, ServiceState::kDegraded);
  EXPECT_TRUE(capture->wait_for("worse restarts too often: degraded", kTestBound));
  EXPECT_EQ(status("steady").state, ServiceState::kReady);
  EXPECT_EQ(status("steady").restarts, 0u);
  EXPECT_EQ(steady.runs, 1);
  ASSERT_TRUE(eventually([&] { return status("worse").state == ServiceState::kReady; }));
  EXPECT_EQ(status("worse").running, 1u);
}

TEST_P(SupervisorTest, ReturningBeforeStopIsACrash) {
  Script& script = new_script();
  script.crashes_left = 1;
  supervisor->start({"quitter-1", "quitter", [&, token = stop.token()] { return return_at_once(script, token); }});
  ASSERT_TRUE(eventually([&] { return script.runs == 2; }));
  EXPECT_TRUE(capture->wait_for("quitter-1 returned before it was told to stop", kTestBound));
  EXPECT_EQ(metrics.value(Counter::kServiceRestarts, "quitter"), 1);
}

// proves part: NODE-INV-8 (tasks of the supervisor; not threads, nor the reason to detach)
// proves part: NODE-INV-6 (a node outside of a cluster; not its config watcher)
TEST_P(SupervisorTest, ReportsAllExitedOnlyAfterJoiningAll) {
  for (int i = 0; i < 20; ++i) start("task-" + std::to_string(i), "many", new_script());
  ASSERT_TRUE(eventually([&] { return status("many").running == 20; }));
  EXPECT_FALSE(all_exited);
  stop_all();
  ASSERT_TRUE(eventually([&] { return all_exited.load(); }));
  EXPECT_EQ(metrics.value(Counter::kTasksSpawned, "many"), metrics.value(Counter::kTasksCompleted, "many"));
  EXPECT_EQ(status("many").running, 0u);
}

TEST_P(SupervisorTest, ATaskThatWaitsForItsRestartIsGivenUpAtStop) {
  supervisor->set_limits({.first_delay_min = 10min, .first_delay_max = 10min, .delay_cap = 10min});
  Script& script = new_script();
  script.crashes_left = 1;
  start("late-1", "late", script);
  ASSERT_TRUE(eventually([&] { return metrics.value(Counter::kServiceRestarts, "late") == 1; }));
  stop_all();
  EXPECT_TRUE(eventually([&] { return all_exited.load(); }));
  EXPECT_EQ(script.runs, 1);
}

// proves part: NODE-SHUT-4 (abort, count and log; not: how soon after the deadline)
// proves part: NODE-INV-6 (a node outside of a cluster; not its config watcher)
TEST_P(SupervisorTest, ATaskThatDoesNotStopIsAbortedCountedAndNamed) {
  concurrent::BoundedQueue<int> never(1, concurrent::Overflow::kReject);
  Script& good = new_script();
  start("good-1", "good", good);
  supervisor->start({"stuck-1", "stuck", [&never] { return ignore_stop(never); }});
  ASSERT_TRUE(eventually([&] { return status("stuck").running == 1; }));
  stop_all();
  ASSERT_TRUE(eventually([&] { return metrics.value(Counter::kTasksCompleted, "good") == 1; }));
  EXPECT_FALSE(all_exited);
  EXPECT_THAT(supervisor->abort_stragglers(), ::testing::ElementsAre("stuck-1"));
  ASSERT_TRUE(eventually([&] { return all_exited.load(); }));
  EXPECT_EQ(metrics.value(Counter::kTasksAborted, "stuck"), 1);
  EXPECT_EQ(metrics.value(Counter::kTasksAborted, "good"), 0);
  EXPECT_EQ(metrics.value(Counter::kTasksCanceled, "stuck"), 1);
  EXPECT_TRUE(capture->wait_for("stuck-1 of stuck did not stop in time: aborted", kTestBound));
}

TEST_P(SupervisorTest, OnlyTasksNeededToDrainRestartWhileDraining) {
  Script& needed = new_script();
  Script& other = new_script();
  needed.crashes_left = other.crashes_left = 1;
  supervisor->start({"needed-1", "needed", [&, t = stop.token()] { return crash_once_stopped(needed, t); }, true});
  supervisor->start({"other-1", "other", [&, t = stop.token()] { return crash_once_stopped(other, t); }});
  ASSERT_TRUE(eventually([&] { return needed.runs == 1 && other.runs == 1; }));
  stop_all();
  ASSERT_TRUE(eventually([&] { return all_exited.load(); }));
  EXPECT_EQ(needed.runs, 2);
  EXPECT_EQ(other.runs, 1);
}

TEST_P(SupervisorTest, TheLastTaskToExitIsNeitherWaitedForNorAborted) {
  concurrent::BoundedQueue<int> never(1, concurrent::Overflow::kReject);
  supervisor->start(
      {.name = "metrics-1", .service = "metrics", .body = [&never] { return ignore_stop(never); }, .exits_last = true});
  ASSERT_TRUE(eventually([&] { return status("metrics").running == 1; }));
  stop_all();
  ASSERT_TRUE(eventually([&] { return all_exited.load(); }));
  EXPECT_TRUE(supervisor->abort_stragglers().empty());
  EXPECT_EQ(status("metrics").running, 1u);
  supervisor->abort_last();
  EXPECT_TRUE(eventually([&] { return metrics.value(Counter::kTasksCanceled, "metrics") == 1; }));
}

// proves: AD2-2
TEST_P(SupervisorTest, ATokenCancelsItsOwnTaskForGoodAndNoOther) {
  concurrent::BoundedQueue<int> never(1, concurrent::Overflow::kReject);
  Script& other = new_script();
  start("other-1", "other", other);
  const TaskToken token = supervisor->start({"one-1", "one", [&never] { return ignore_stop(never); }});
  const TaskToken twin = supervisor->start({"one-2", "one", [&never] { return ignore_stop(never); }});
  EXPECT_NE(token, twin);
  ASSERT_TRUE(eventually([&] { return status("one").running == 2; }));
  EXPECT_TRUE(supervisor->cancel(token));
  ASSERT_TRUE(eventually([&] { return metrics.value(Counter::kTasksCanceled, "one") == 1; }));
  EXPECT_EQ(status("one").running, 1u);
  EXPECT_EQ(status("one").restarts, 0u) << "it is over, not crashed";
  EXPECT_EQ(status("other").running, 1u);
  EXPECT_FALSE(supervisor->cancel(token)) << "it has ended already";
  EXPECT_TRUE(supervisor->cancel(twin));
  ASSERT_TRUE(eventually([&] { return metrics.value(Counter::kTasksCanceled, "one") == 2; })) << "not only on its way";
}

// proves: AD2-2
TEST_P(SupervisorTest, ATaskThatWaitsForItsRestartCanBeCancelled) {
  Script& script = new_script();
  script.crashes_left = 1;
  supervisor->set_limits({.first_delay_min = 10min, .first_delay_max = 10min, .delay_cap = 10min});
  const TaskToken token =
      supervisor->start({"late-1", "late", [&, t = stop.token()] { return run_script(script, t); }});
  ASSERT_TRUE(eventually([&] { return metrics.value(Counter::kServiceRestarts, "late") == 1; }));
  EXPECT_TRUE(supervisor->cancel(token));
  stop_all();
  EXPECT_TRUE(eventually([&] { return all_exited.load(); }));
  EXPECT_EQ(script.runs, 1);
}

// proves: AD2-2
TEST_P(SupervisorTest, ATokenStillNamesATaskThatWasRestarted) {
  Script& script = new_script();
  script.crashes_left = 1;
  const TaskToken token =
      supervisor->start({"again-1", "again", [&, t = stop.token()] { return run_script(script, t); }});
  ASSERT_TRUE(eventually([&] { return script.runs == 2; }));
  EXPECT_TRUE(supervisor->cancel(token));
  ASSERT_TRUE(eventually([&] { return metrics.value(Counter::kTasksCanceled, "again") == 1; }));
  EXPECT_EQ(status("again").restarts, 1u) << "of before it was cancelled";
  EXPECT_FALSE(supervisor->cancel(token));
}

// Whatever became of a task, it is seen while it lives and none is left when the node has stopped.
// proves part: AD2-3 (no orphan task, and tasks are seen; not that cleanup logic is in one place only)
TEST_P(SupervisorTest, NoTaskIsLeftBehindWhateverBecameOfIt) {
  concurrent::BoundedQueue<int> never(1, concurrent::Overflow::kReject);
  Script& crashing = new_script();
  crashing.crashes_left = 2;
  start("good-1", "good", new_script());
  start("crashing-1", "crashing", crashing);
  supervisor->start({"stuck-1", "stuck", [&never] { return ignore_stop(never); }});
  const TaskToken token = supervisor->start({"cancelled-1", "cancelled", [&never] { return ignore_stop(never); }});
  ASSERT_TRUE(eventually([&] { return crashing.runs == 3 && status("cancelled").running == 1; }));
  supervisor->cancel(token);
  ASSERT_TRUE(eventually([&] { return status("cancelled").running == 0; }));
  EXPECT_EQ(status("good").running + status("crashing").running + status("stuck").running, 3u);
  EXPECT_EQ(status("crashing").restarts, 2u);
  stop_all();
  EXPECT_FALSE(all_exited) << "one is stuck";
  supervisor->abort_stragglers();
  ASSERT_TRUE(eventually([&] { return all_exited.load(); }));
  double spawned = 0;
  double ended = 0;
  for (const char* service : {"good", "crashing", "stuck", "cancelled"}) {
    EXPECT_EQ(status(service).running, 0u) << service;
    spawned += metrics.value(Counter::kTasksSpawned, service);
    ended += metrics.value(Counter::kTasksCompleted, service) + metrics.value(Counter::kTasksCanceled, service) +
             metrics.value(Counter::kServiceRestarts, service);
  }
  EXPECT_EQ(spawned, ended);
}

TEST_P(SupervisorTest, InjectedCrashesSpreadOverTheTasksOfAService) {
  for (int i = 0; i < 4; ++i) start("worker-" + std::to_string(i), "pool", new_script());
  EXPECT_EQ(supervisor->inject_crash("nobody", 1), 0u);
  for (int round = 1; round <= 2; ++round) {
    ASSERT_TRUE(eventually([&] { return status("pool").running == 4; }));
    EXPECT_EQ(supervisor->inject_crash("pool", 2), 2u);
    ASSERT_TRUE(eventually([&] { return status("pool").restarts == 2u * static_cast<unsigned>(round); }));
  }
  ASSERT_TRUE(eventually([&] {
    for (const auto& script : scripts) {
      if (script.runs != 2) return false;
    }
    return true;
  })) << "the second round hit the victims of the first";
}

}  // namespace
}  // namespace hyperscale::runtime
