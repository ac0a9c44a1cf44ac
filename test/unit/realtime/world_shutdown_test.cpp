#include "test_world.h"

#include <array>
#include <atomic>
#include <future>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::realtime {
namespace {

// What a shutdown may take on a machine that is busy with other things; far below what a missing wake-up would cost.
constexpr std::int64_t kSlackMs = 4000;

class ShutdownTest : public testing::Test {
 protected:
  WorldConfig config() {
    WorldConfig config = counting_world(clock);
    config.log = LogLines::sink(log);
    config.start_thread = [threads = running](const std::string& name, std::function<void()> body) {
      ++*threads;
      return start_named_thread(name, [threads, body = std::move(body)] {
        body();
        --*threads;
      });
    };
    return config;
  }
  // A tick that waits at the blocker; not a reader, but held in the same way.
  static void hold_ticks(WorldConfig& config, const std::shared_ptr<Blocker>& blocker) {
    const auto counting = config.propagators[0].step;
    config.propagators[0].step = [counting, hook = Blocker::hook(blocker, Moment::kRegion)](StepContext& context) {
      hook(Moment::kRegion);
      return counting(context);
    };
  }
  // Lets time run in steps until the shutdown has an answer.
  ShutdownResult run_down(std::future<ShutdownResult>& down, Duration step) {
    wait_until([&] {
      clock->advance(step);
      return down.wait_for(0s) == std::future_status::ready;
    });
    return down.get();
  }
  static std::future<ShutdownResult> shut_down_aside(World& world) {
    return std::async(std::launch::async, [&world] { return world.shutdown(); });
  }
  static bool refuses(World& world) {
    auto receipt = world.submit({.name = "rate"});
    return receipt.wait_for(0s) == std::future_status::ready && receipt.get().outcome == CommandOutcome::kShuttingDown;
  }

  std::shared_ptr<FakeClock> clock = std::make_shared<FakeClock>();
  std::shared_ptr<LogLines> log = std::make_shared<LogLines>();
  std::shared_ptr<Blocker> blocker = std::make_shared<Blocker>();
  std::shared_ptr<std::atomic<int>> running = std::make_shared<std::atomic<int>>(0);  // threads of the world
};

// proves: MURK-TEST-16, MURK-SHUT-2, MURK-SHUT-6, MURK-POOL-5
// proves part: MURK-SHUT-3 (afterwards; not that a tick that fails meanwhile leaves it so)
TEST_F(ShutdownTest, ACleanEnd) {
  auto world = make_world(config());
  wait_for_tick(*world, 1);
  const ObsPlan plan = *world->compile({{.field = 0}});
  ASSERT_TRUE(observe(*world, plan).result);
  const ShutdownResult result = end_at_once(*world, *clock);
  EXPECT_TRUE(result.clean());
  EXPECT_EQ(result.phase_times_ms, (std::array<std::uint64_t, 3>{0, 0, 0})) << "no time has passed";
  EXPECT_EQ(*running, 0);
  EXPECT_TRUE(world->health().engine_stopped);
  EXPECT_EQ(result.final_tick, 1u);
  EXPECT_EQ(kind_of(observe(*world, plan)), ObsErrorKind::kShuttingDown);
  EXPECT_TRUE(refuses(*world));
  EXPECT_EQ(log->count(LogLevel::kError, ""), 0);
}

// proves: MURK-TEST-17, MURK-TEST-21, MURK-SHUT-2
// proves part: MURK-SHUT-4 (completed, then stopped; not that its commands are told so)
// proves part: MURK-SHUT-3 (while draining; not that a tick that fails meanwhile leaves it so)
// proves part: MURK-SAFE-8 (the tick in progress is published; not that check and publication are one step)
// proves part: MURK-SHUT-5 (nothing after the last tick; not a tick at its gate when draining ends)
TEST_F(ShutdownTest, DrainingWaitsForTheTickInProgress) {
  WorldConfig slow = config();
  hold_ticks(slow, blocker);
  blocker->arm(1);
  auto world = make_world(std::move(slow));
  blocker->wait_until_held(1);
  auto in_tick = world->submit({.name = "queued"});
  auto down = shut_down_aside(*world);
  wait_until([&] { return refuses(*world); });
  EXPECT_EQ(in_tick.get().outcome, CommandOutcome::kShuttingDown) << "it was not part of the tick";
  EXPECT_EQ(name(CommandOutcome::kShuttingDown), "SHUTTING_DOWN");
  EXPECT_EQ(down.wait_for(0s), std::future_status::timeout);
  clock->advance(20ms);  // another tick is due, which is not made any more
  blocker->release();
  EXPECT_TRUE(is_answered(down)) << "without another moment of time";
  const ShutdownResult result = run_down(down, 1s);
  EXPECT_EQ(result.final_tick, 1u) << "the tick in progress was completed and published";
  EXPECT_TRUE(result.clean());
  EXPECT_GE(result.commands_dropped, 1u);
  clock->advance(1s);
  EXPECT_EQ(world->health().latest_tick, 1u);
  EXPECT_EQ(*running, 0) << "nobody is left to publish";
}

// F-8
// proves: MURK-SHUT-1, MURK-SHUT-6, MURK-SHUT-9, MURK-TEST-19
// proves part: MURK-SHUT-4 (33 ms, the line, abandoned; not the commands of a tick that is completed)
// proves part: MURK-SAFE-8 (a tick that is too late is rolled back; not that check and publication are one step)
// proves part: MURK-SHUT-5 (a tick that hung; not a tick at its gate when draining ends)
TEST_F(ShutdownTest, HungTickIsAbandonedAndCannotPublish) {
  WorldConfig hanging = config();
  hold_ticks(hanging, blocker);
  auto world = make_world(std::move(hanging));
  wait_for_tick(*world, 1);
  auto command = world->submit({.name = "rate"});
  blocker->arm(1);
  clock->advance(1s);
  blocker->wait_until_held(1);
  auto down = shut_down_aside(*world);
  wait_until([&] { return refuses(*world); });
  clock->advance(33ms);
  wait_until([&] { return *running == 1; });
  const ShutdownResult result = run_down(down, 1ms);
  EXPECT_EQ(result.phase_times_ms[0], 33u);
  EXPECT_EQ(result.final_tick, 1u);
  EXPECT_EQ(result.leaked_threads, 1u);
  EXPECT_EQ(log->count(LogLevel::kError, "drain timeout"), 1);
  EXPECT_EQ(log->count(LogLevel::kError, "thread murk-engine did not end in time: detached"), 1);
  EXPECT_EQ(command.get().outcome, CommandOutcome::kShuttingDown) << "the shutdown answers for the tick";
  blocker->release();
  wait_until([&] { return world->health().engine_stopped; });
  EXPECT_EQ(world->health().latest_tick, 1u) << "a late finish does not publish";
  EXPECT_EQ(world->health().rollback_events, 1u);
}

// F-9
// proves: MURK-TEST-18, MURK-SHUT-7, MURK-SHUT-9
// proves: MURK-TEST-19, MURK-SHUT-1, MURK-SHUT-6, MURK-SAFE-5
// proves part: MURK-SHUT-10 (a thread that does not end holds no shutdown up; not that it waits and does not poll)
// proves part: MURK-SAFE-3 (workers keep their records; not one that replaces another)
// proves part: MURK-SAFE-6 (workers; not one that replaces another)
// proves part: P-1 (a shutdown)
// proves part: MURK-SHUT-8 (nothing is dropped under a reader; one that is stuck holds on, and what it reads stays)
TEST_F(ShutdownTest, StuckWorkerIsCountedAndKeepsItsSnapshot) {
  WorldConfig stuck = config();
  stuck.epoch_config.worker_count = 3;
  stuck.hook = Blocker::hook(blocker, Moment::kRead);
  auto world = make_world(std::move(stuck));
  wait_for_tick(*world, 1);
  const ObsPlan plan = *world->compile({{.field = 0}});
  blocker->arm(2);
  std::vector<std::future<Observed>> held;
  for (int i = 0; i < 2; ++i) held.push_back(std::async(std::launch::async, [&] { return observe(*world, plan); }));
  blocker->wait_until_held(2);
  auto down = shut_down_aside(*world);
  wait_until([&] { return *running == 2; });
  clock->advance(120s);
  wait_until([&] { return log->count(LogLevel::kError, "is still pinned to epoch 1") == 2; });
  clock->advance(10ms);
  EXPECT_TRUE(is_answered(down)) << "two holds and the time for joins are over";
  const ShutdownResult result = run_down(down, 1s);
  EXPECT_EQ(result.phase_times_ms, (std::array<std::uint64_t, 3>{0, 120'000, 10}));
  EXPECT_EQ(result.stalled_workers, 2u);
  EXPECT_EQ(result.leaked_threads, 2u);
  int named = 0;
  for (const char* who : {"worker 0 is still pinned", "worker 1 is still pinned", "worker 2 is still pinned"}) {
    if (log->count(LogLevel::kError, who) == 1) ++named;
  }
  EXPECT_EQ(named, 2);
  EXPECT_EQ(log->count(LogLevel::kError, "did not end in time: detached"), 2);
  for (auto& answer : held) {
    if (!is_answered(answer)) {
      blocker->release();
      FAIL() << "its caller is not answered";
    }
    EXPECT_EQ(kind_of(answer.get()), ObsErrorKind::kWorkerStalled);
  }
  world.reset();
  EXPECT_GT(blocker.use_count(), 1) << "the detached thread keeps the world's state";
  blocker->release();
  wait_until([&] { return blocker.use_count() == 1; });
}

// proves part: MURK-SAFE-3 (the engine keeps the records; not a worker that replaces another)
// proves part: MURK-SAFE-6 (the engine; not a worker that replaces another)
TEST_F(ShutdownTest, ADetachedEngineKeepsTheWorldsState) {
  WorldConfig hanging = config();
  hold_ticks(hanging, blocker);
  auto world = make_world(std::move(hanging));
  wait_for_tick(*world, 1);
  blocker->arm(1);
  clock->advance(1s);
  blocker->wait_until_held(1);
  auto down = shut_down_aside(*world);
  wait_until([&] { return refuses(*world); });
  clock->advance(40ms);
  wait_until([&] { return *running == 1; });
  EXPECT_EQ(run_down(down, 1ms).leaked_threads, 1u);
  world.reset();
  EXPECT_GT(blocker.use_count(), 1) << "the tick that hangs keeps it";
  blocker->release();
  wait_until([&] { return blocker.use_count() == 1; });
}

// proves: MURK-SHUT-6, MURK-POOL-5
// proves part: MURK-SHUT-3 (while quiescing; not that a tick that fails meanwhile leaves it so)
// proves part: MURK-WRK-2 (WorkerCancelled at the end of a world; not that it is told as ExecutionFailed)
TEST_F(ShutdownTest, ARunningPlanIsCancelledWithTheReason) {
  WorldConfig busy = config();
  busy.epoch_config.worker_count = 3;
  busy.hook = Blocker::hook(blocker, Moment::kRead);
  auto world = make_world(std::move(busy));
  wait_for_tick(*world, 1);
  const ObsPlan plan = *world->compile({{.field = 0}, {.field = 0}});
  blocker->arm(2);
  std::vector<std::future<Observed>> held;
  for (int i = 0; i < 2; ++i) held.push_back(std::async(std::launch::async, [&] { return observe(*world, plan); }));
  blocker->wait_until_held(2);
  auto down = shut_down_aside(*world);
  wait_until([&] {
    const Observed seen = observe(*world, plan);
    return !seen.result && kind_of(seen) == ObsErrorKind::kShuttingDown;
  });
  EXPECT_TRUE(refuses(*world)) << "while readers are waited for";
  blocker->release();
  for (auto& answer : held) EXPECT_EQ(kind_of(answer.get()), ObsErrorKind::kWorkerCancelled);
  EXPECT_TRUE(is_answered(down));
  EXPECT_TRUE(run_down(down, 1s).clean());
}

// proves: MURK-TEST-20, MURK-SHUT-11, MURK-WRK-1, MURK-WRK-3
// proves part: MURK-SHUT-3 (after ticks were disabled; not when they are disabled while draining)
TEST_F(ShutdownTest, ADisabledEngineEndsAsUsual) {
  WorldConfig broken = config();
  broken.propagators[0].step = [](StepContext&) -> Status { return fail(ErrorCode::kInternal, "broken"); };
  const auto asked = std::make_shared<std::atomic<int>>(0);  // how often the world looked at its clock
  broken.clock = [asked, time = clock] {
    ++*asked;
    return time->now();
  };
  auto world = make_world(std::move(broken));
  wait_until([&] {
    clock->advance(16'666'667ns);
    return world->health().tick_disabled;
  });
  wait_until([&, before = asked->load()] { return *asked >= before + 4; });  // the engine idles
  const ObsPlan plan = *world->compile({{.field = 0}});
  EXPECT_EQ(kind_of(observe(*world, plan)), ObsErrorKind::kNoSnapshot);
  EXPECT_EQ(*running, 3) << "its thread is idle, not gone";
  const ShutdownResult result = end_at_once(*world, *clock);
  EXPECT_TRUE(result.clean());
  EXPECT_EQ(result.phase_times_ms, (std::array<std::uint64_t, 3>{0, 0, 0}));
  EXPECT_EQ(*running, 0);
  EXPECT_EQ(kind_of(observe(*world, plan)), ObsErrorKind::kShuttingDown);
  EXPECT_EQ(log->count(LogLevel::kError, "drain timeout"), 0);
  EXPECT_TRUE(refuses(*world));
}

// proves: MURK-SHUT-11
TEST_F(ShutdownTest, ADisabledEngineQuiescesItsReaders) {
  WorldConfig broken = config();
  std::atomic<bool> fails{false};
  broken.propagators[0].step = [&fails, counting = broken.propagators[0].step](StepContext& context) -> Status {
    if (fails) return fail(ErrorCode::kInternal, "broken");
    return counting(context);
  };
  broken.hook = Blocker::hook(blocker, Moment::kRead);
  auto world = make_world(std::move(broken));
  wait_for_tick(*world, 1);
  const ObsPlan plan = *world->compile({{.field = 0}, {.field = 0}});
  blocker->arm(1);
  auto held = std::async(std::launch::async, [&] { return observe(*world, plan); });
  blocker->wait_until_held(1);
  fails = true;
  for (std::uint64_t failed = 1; failed <= 3; ++failed) {
    clock->advance(16'666'667ns);
    wait_until([&] { return world->health().rollback_events >= failed; });
  }
  wait_until([&] { return world->health().tick_disabled; });
  auto down = shut_down_aside(*world);
  wait_until([&] { return kind_of(observe(*world, plan)) == ObsErrorKind::kShuttingDown; });
  EXPECT_EQ(down.wait_for(0s), std::future_status::timeout) << "it waits for its reader";
  blocker->release();
  EXPECT_EQ(kind_of(held.get()), ObsErrorKind::kWorkerCancelled);
  EXPECT_TRUE(is_answered(down));
  const ShutdownResult result = run_down(down, 1s);
  EXPECT_TRUE(result.clean());
  EXPECT_EQ(result.phase_times_ms, (std::array<std::uint64_t, 3>{0, 0, 0})) << "no time has passed";
  EXPECT_EQ(log->count(LogLevel::kError, "drain timeout"), 0);
  EXPECT_EQ(*running, 0);
}

// The defaults, and nothing ends by itself.
// proves: MURK-SHUT-1, MURK-SHUT-6, MURK-TEST-19
TEST_F(ShutdownTest, ATickAndAWorkerThatHangTake244Ms) {
  WorldConfig hanging = config();
  hanging.epoch_config = {.worker_count = 2};
  hold_ticks(hanging, blocker);
  const auto reader = std::make_shared<Blocker>();
  hanging.hook = Blocker::hook(reader, Moment::kRead);
  auto world = make_world(std::move(hanging));
  wait_for_tick(*world, 1);
  const ObsPlan plan = *world->compile({{.field = 0}});
  reader->arm(1);
  auto held = std::async(std::launch::async, [&] { return observe(*world, plan); });
  reader->wait_until_held(1);
  blocker->arm(1);
  clock->advance(17ms);
  blocker->wait_until_held(1);
  auto down = shut_down_aside(*world);
  wait_until([&] { return refuses(*world); });
  clock->advance(34ms);
  wait_until([&] { return log->count(LogLevel::kError, "drain timeout") == 1; });
  wait_until([&] { return *running == 2; });
  clock->advance(200ms);
  wait_until([&] { return log->count(LogLevel::kError, "is still pinned to epoch 1") == 1; });
  clock->advance(10ms);
  EXPECT_TRUE(is_answered(down));
  const ShutdownResult result = run_down(down, 1s);
  EXPECT_EQ(result.phase_times_ms, (std::array<std::uint64_t, 3>{34, 200, 10})) << "less than 300 ms in all";
  EXPECT_EQ(result.stalled_workers, 1u);
  EXPECT_EQ(result.leaked_threads, 2u);
  blocker->release();
  reader->release();
  EXPECT_EQ(kind_of(held.get()), ObsErrorKind::kWorkerStalled);
  wait_until([&] { return *running == 0; });
}

// proves part: MURK-SHUT-12 (at once and later, they end and agree; not that later calls do nothing)
// proves part: MURK-TEST-22 (at once and later, they end and agree; not that later calls do nothing)
TEST_F(ShutdownTest, RepeatedCallsAnswerTheSame) {
  auto world = make_world(config());
  wait_for_tick(*world, 1);
  auto aside = shut_down_aside(*world);
  const ShutdownResult first = world->shutdown();
  const ShutdownResult second = aside.get();
  EXPECT_EQ(first.phase_times_ms, second.phase_times_ms);
  EXPECT_EQ(world->shutdown().final_tick, first.final_tick);
}

// proves: MURK-SHUT-2
TEST_F(ShutdownTest, DestructionEndsTheWorldToo) {
  auto world = make_world(config());
  auto receipt = world->submit({.name = "rate"});
  EXPECT_EQ(*running, 3);
  world.reset();
  EXPECT_EQ(*running, 0);
  receipt.get();
}

// proves: MURK-SHUT-2
TEST_F(ShutdownTest, DestructionDrainsATickThatHangs) {
  WorldConfig hanging = config();
  hold_ticks(hanging, blocker);
  blocker->arm(1);
  auto world = make_world(std::move(hanging));
  blocker->wait_until_held(1);
  auto queued = world->submit({.name = "rate"});
  auto gone = std::async(std::launch::async, [&] { world.reset(); });
  EXPECT_TRUE(is_answered(queued)) << "while the tick is waited for";
  EXPECT_EQ(queued.get().outcome, CommandOutcome::kShuttingDown);
  EXPECT_EQ(gone.wait_for(0s), std::future_status::timeout);
  EXPECT_EQ(log->count(LogLevel::kError, "drain timeout"), 0);
  wait_until([&] {
    clock->advance(1ms);
    return gone.wait_for(0s) == std::future_status::ready;
  });
  EXPECT_EQ(log->count(LogLevel::kError, "drain timeout"), 1);
  blocker->release();
  wait_until([&] { return *running == 0; });
}

// F-12
// A tick every ten seconds: without an interruptible sleep this would take that long.
TEST_F(ShutdownTest, ASleepingEngineIsWoken) {
  WorldConfig slow = config();
  slow.tick_rate_hz = 0.1;
  auto world = make_world(std::move(slow));
  wait_for_tick(*world, 1);
  const MonoTime begin = monotonic_now();
  EXPECT_TRUE(world->shutdown().clean());
  EXPECT_LE((monotonic_now() - begin) / 1ms, kSlackMs);
}

}  // namespace
}  // namespace hyperscale::realtime
