// Readers that do not come back: time is the test's, so nothing here waits for a real timeout.
#include "test_world.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::realtime {
namespace {

class StallTest : public testing::Test {
 protected:
  WorldConfig config(Moment held_at) {
    WorldConfig config = counting_world(clock);
    config.hook = Blocker::hook(blocker, held_at);
    config.log = LogLines::sink(log);
    return config;
  }
  // Lets time pass in one jump and waits until the engine has looked.
  void pass(World& world, Duration time) {
    const std::uint64_t before = world.health().latest_tick;
    clock->advance(time);
    wait_for_tick(world, before + 1);
  }
  void ticks(World& world, int count) {
    for (int i = 0; i < count; ++i) pass(world, 16'666'667ns);
  }
  std::future<Observed> hold_one(World& world, const ObsPlan& plan) {
    blocker->arm(1);
    auto held = std::async(std::launch::async, [&world, plan] { return observe(world, plan); });
    blocker->wait_until_held(++held_);
    return held;
  }

  std::shared_ptr<FakeClock> clock = std::make_shared<FakeClock>();
  std::shared_ptr<Blocker> blocker = std::make_shared<Blocker>();
  std::shared_ptr<LogLines> log = std::make_shared<LogLines>();

 private:
  int held_ = 0;
};

// F-3
// proves: MURK-STALL-7, MURK-OV-6
// proves part: MURK-STALL-6 (found unpinned; not one that is at its next request when it is torn down)
// proves part: MURK-SAFE-12 (the next pin is not cancelled; not one that begins while the detector looks)
// proves part: MURK-WRK-2 (WORKER_STALLED when it is the detector that cancels)
// proves part: MURK-STALL-11 (the reason of one that stops within the grace; not that it is told as ExecutionFailed)
TEST_F(StallTest, APlanOverItsTimeIsCancelledAtTheNextRegion) {
  auto world = make_world(config(Moment::kRead));
  wait_for_tick(*world, 1);
  const ObsPlan plan = *world->compile({{.field = 0}, {.field = 0}});
  auto held = hold_one(*world, plan);
  pass(*world, 61s);
  pass(*world, 1s);
  EXPECT_TRUE(observe(*world, plan).result) << "others go on";
  EXPECT_EQ(held.wait_for(0s), std::future_status::timeout) << "the grace is not over";
  blocker->release();
  EXPECT_EQ(kind_of(held.get()), ObsErrorKind::kWorkerStalled);
  pass(*world, 7s);
  EXPECT_EQ(world->health().worker_stall_events, 0u) << "it stopped within the grace";
  EXPECT_EQ(world->health().worker_replacements, 0u);
  EXPECT_EQ(log->count(LogLevel::kWarn, "force-unpinned"), 0);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(observe(*world, plan).result) << "the next pin starts uncancelled";
}

// F-4
// proves: MURK-STALL-8, MURK-SAFE-5, MURK-TEST-8, MURK-RECL-5, MURK-OV-6
// proves part: MURK-STALL-4 (a worker's first pin; not that its clock is fresh while a tick takes long)
// proves part: MURK-SAFE-9 (a worker's pin has a start; not that its clock is fresh while a tick takes long)
// proves part: MURK-PIN-6 (the detector writes no pin; not that a shutdown writes none)
// proves part: P-1 (a reader that never returns; not a request that waits behind readers that are all stuck)
// proves part: MURK-STALL-11 (the reason of one that never stops; not that it is told as ExecutionFailed)
// proves part: MURK-STALL-5 (overridden and logged with epoch and duration; not the id of the worker)
// proves part: MURK-SAFE-11 (the detector answers; neither the exact bound nor the time in the queue)
TEST_F(StallTest, StuckReaderIsAnsweredAndGenerationKept) {
  auto world = make_world(config(Moment::kRead));
  wait_for_tick(*world, 1);
  const ObsPlan plan = *world->compile({{.field = 0}});
  auto held = hold_one(*world, plan);
  pass(*world, 61s);
  pass(*world, 7s);
  EXPECT_TRUE(is_answered(held)) << "while the reader is still held";
  EXPECT_EQ(world->health().worker_stall_events, 1u);
  EXPECT_EQ(log->count(LogLevel::kWarn, "force-unpinned: it held epoch 1 for 68000 ms"), 1);
  ticks(*world, 20);
  EXPECT_EQ(world->health().quarantined_generations, 1u) << "its word is still there, and still counts";
  EXPECT_EQ(world->health().oldest_pinned_epoch, kEpochUnpinned) << "but nobody waits for it";
  EXPECT_EQ(world->health().live_generations, 9u);
  blocker->release();
  EXPECT_EQ(kind_of(held.get()), ObsErrorKind::kWorkerStalled);
  wait_until([&] {
    ticks(*world, 1);
    return world->health().quarantined_generations == 0;
  });
  EXPECT_EQ(world->health().live_generations, 8u);
}

// proves: MURK-STALL-2
TEST_F(StallTest, TheEngineThreadDetects) {
  WorldConfig watched = config(Moment::kRead);
  std::atomic<std::thread::id> engine, detector;
  const auto counting = watched.propagators[0].step;
  watched.propagators[0].step = [&](StepContext& context) {
    engine = std::this_thread::get_id();
    return counting(context);
  };
  watched.log = [&](LogLevel level, std::string_view) {
    if (level == LogLevel::kWarn) detector = std::this_thread::get_id();
  };
  auto world = make_world(std::move(watched));
  wait_for_tick(*world, 1);
  auto held = hold_one(*world, *world->compile({{.field = 0}}));
  pass(*world, 61s);
  pass(*world, 7s);
  EXPECT_TRUE(is_answered(held));
  EXPECT_EQ(detector.load(), engine.load());
  blocker->release();
  held.get();
}

// There is no time between ticks here: what looks only then would never look.
// proves: MURK-STALL-2, MURK-OV-6
TEST_F(StallTest, AnEngineThatIsAlwaysLateDetectsToo) {
  WorldConfig late = config(Moment::kRead);
  const auto racing = std::make_shared<std::atomic<bool>>(false);
  late.clock = [racing, moved = clock] {
    if (*racing) moved->advance(20ms);
    return moved->now();
  };
  auto world = make_world(std::move(late));
  wait_for_tick(*world, 1);
  auto held = hold_one(*world, *world->compile({{.field = 0}}));
  *racing = true;
  EXPECT_TRUE(is_answered(held));
  *racing = false;
  blocker->release();
  EXPECT_EQ(kind_of(held.get()), ObsErrorKind::kWorkerStalled);
}

// proves: MURK-STALL-7
TEST_F(StallTest, TheEngineTicksOnDuringALongGrace) {
  WorldConfig patient = config(Moment::kRead);
  patient.epoch_config.cancel_grace = 3600s;
  auto world = make_world(std::move(patient));
  wait_for_tick(*world, 1);
  auto held = hold_one(*world, *world->compile({{.field = 0}, {.field = 0}}));
  pass(*world, 61s);
  ticks(*world, 20);
  EXPECT_EQ(world->health().worker_stall_events, 0u);
  EXPECT_EQ(held.wait_for(0s), std::future_status::timeout);
  blocker->release();
  EXPECT_EQ(kind_of(held.get()), ObsErrorKind::kWorkerStalled) << "it was cancelled";
}

// proves part: MURK-SAFE-10 (a worker fills its own buffer; not that of two answers the first wins)
TEST_F(StallTest, ALateWorkerDoesNotTouchTheCallersBuffer) {
  auto world = make_world(config(Moment::kRead));
  wait_for_tick(*world, 1);
  const ObsPlan plan = *world->compile({{.field = 0}});
  std::vector<double> values(16, -1);
  std::vector<std::uint8_t> mask(16, 9);
  blocker->arm(1);
  auto held = std::async(std::launch::async, [&] { return world->observe(plan, values, mask); });
  blocker->wait_until_held(1);
  pass(*world, 61s);
  pass(*world, 7s);
  EXPECT_TRUE(is_answered(held));
  blocker->release();
  EXPECT_FALSE(held.get());
  wait_until([&] {
    ticks(*world, 1);
    return world->health().oldest_pinned_epoch == kEpochUnpinned && world->health().quarantined_generations == 0;
  });
  world->shutdown();
  EXPECT_EQ(values, std::vector<double>(16, -1));
  EXPECT_EQ(mask, std::vector<std::uint8_t>(16, 9));
}

TEST_F(StallTest, AReplacementThatCannotBeStartedIsTriedAgain) {
  WorldConfig scarce = config(Moment::kRead);
  std::atomic<int> refused{0}, to_refuse{0};
  scarce.start_thread = [&](const std::string& name, std::function<void()> body) -> Result<std::thread> {
    if (to_refuse > 0) {
      --to_refuse, ++refused;
      return fail(ErrorCode::kInternal, "no more threads");
    }
    return start_named_thread(name, std::move(body));
  };
  auto world = make_world(std::move(scarce));
  wait_for_tick(*world, 1);
  const ObsPlan plan = *world->compile({{.field = 0}});
  std::vector<std::future<Observed>> held;
  for (int i = 0; i < 2; ++i) held.push_back(hold_one(*world, plan));
  to_refuse = 3;
  pass(*world, 61s);
  pass(*world, 7s);
  for (auto& answer : held) EXPECT_TRUE(is_answered(answer));
  wait_until([&] {
    ticks(*world, 1);
    return world->health().worker_replacements == 2;
  });
  EXPECT_EQ(refused, 3);
  EXPECT_TRUE(observe(*world, plan).result) << "replacements serve";
  blocker->release();
  for (auto& answer : held) EXPECT_EQ(kind_of(answer.get()), ObsErrorKind::kWorkerStalled);
}

// proves: MURK-OV-6, MURK-STALL-1
TEST_F(StallTest, StuckWorkersAreReplacedWithinBounds) {
  auto world = make_world(config(Moment::kRead));
  wait_for_tick(*world, 1);
  const ObsPlan plan = *world->compile({{.field = 0}});
  std::vector<std::future<Observed>> held;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 2; ++i) held.push_back(hold_one(*world, plan));
    pass(*world, 61s);
    pass(*world, 7s);
    for (auto& answer : held) EXPECT_TRUE(is_answered(answer));
    if (round == 0) EXPECT_TRUE(observe(*world, plan).result) << "replacements serve";
  }
  EXPECT_EQ(world->health().worker_replacements, 2u) << "one for each worker, and no more while they are stuck";
  EXPECT_LE(world->health().live_generations, 8u + 4u);
  blocker->release();
  for (auto& answer : held) EXPECT_EQ(kind_of(answer.get()), ObsErrorKind::kWorkerStalled);
  wait_until([&] {
    ticks(*world, 1);
    return world->health().oldest_pinned_epoch == kEpochUnpinned;
  });
  EXPECT_TRUE(observe(*world, plan).result);
}

// F-7 with readers
// proves: MURK-PUB-4, MURK-SHUT-11, MURK-OV-5, MURK-OV-6
// proves part: MURK-SAFE-13 (detects and reclaims; not that it does every 10 ms)
TEST_F(StallTest, ADisabledEngineStillDetectsAndReclaims) {
  WorldConfig broken = config(Moment::kRead);
  std::atomic<bool> fails{false};
  const auto counting = broken.propagators[0].step;
  broken.propagators[0].step = [&](StepContext& context) -> Status {
    if (fails) return fail(ErrorCode::kInternal, "broken");
    return counting(context);
  };
  auto world = make_world(std::move(broken));
  wait_for_tick(*world, 1);
  const ObsPlan plan = *world->compile({{.field = 0}});
  auto old = hold_one(*world, plan);
  ticks(*world, 10);
  fails = true;
  wait_until([&] {
    clock->advance(16'666'667ns);
    return world->health().tick_disabled;
  });
  const std::uint64_t frozen = world->health().latest_tick;
  fails = false;  // it could tick again, if it were not disabled
  EXPECT_FALSE(world->tick_now(1ms));
  EXPECT_TRUE(observe(*world, plan).result) << "the last good snapshot is served";
  EXPECT_EQ(world->submit({.name = "rate"}).get().outcome, CommandOutcome::kTickDisabled);
  EXPECT_EQ(kind_of(observe_tick(*world, frozen + 1, 3600s, plan)), ObsErrorKind::kTickDisabled);
  clock->advance(61s);
  wait_until([&] {
    clock->advance(1s);
    return old.wait_for(0s) == std::future_status::ready;
  });
  EXPECT_EQ(world->health().quarantined_generations, 1u);
  blocker->release();
  EXPECT_EQ(kind_of(old.get()), ObsErrorKind::kWorkerStalled);
  wait_until([&] { return world->health().quarantined_generations == 0; });
  EXPECT_EQ(world->health().latest_tick, frozen);
}

}  // namespace
}  // namespace hyperscale::realtime
