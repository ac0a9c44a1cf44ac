#include "realtime/observe/pinned_access.h"
#include "test_world.h"

#include <algorithm>
#include <future>
#include <new>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <pthread.h>

namespace hyperscale::realtime {
namespace {

ObsPlan whole(const World& world) {
  return *world.compile({{.field = 0}});
}

struct ReleaseAtEnd {
  Blocker& blocker;
  ~ReleaseAtEnd() { blocker.release(); }
};

class WorldTest : public testing::Test {
 protected:
  void ticks(World& world, int count) {
    for (int i = 0; i < count; ++i) {
      const std::uint64_t before = world.health().latest_tick;
      clock->advance(16'666'666ns);
      wait_for_tick(world, before + 1);
    }
  }

  std::shared_ptr<FakeClock> clock = std::make_shared<FakeClock>();
  std::shared_ptr<Blocker> blocker = std::make_shared<Blocker>();
};

// proves: MURK-OV-2
// proves part: MURK-OV-1 (one thread, 60 ticks in a second of its clock; not that it wakes in time on a real clock)
TEST_F(WorldTest, OneThreadTicksSixtyTimesASecond) {
  WorldConfig config = counting_world(clock);
  std::mutex mutex;
  std::set<std::thread::id> engines;
  std::set<std::string> names;
  const auto counting = config.propagators[0].step;
  config.propagators[0].step = [&](StepContext& context) {
    char name[16] = {};
    pthread_getname_np(pthread_self(), name, sizeof(name));
    const std::lock_guard lock(mutex);
    engines.insert(std::this_thread::get_id());
    names.insert(name);
    return counting(context);
  };
  auto world = make_world(std::move(config));
  wait_for_tick(*world, 1);
  ticks(*world, 60);
  EXPECT_EQ(world->health().latest_tick, 61u) << "one at the start and one per sixtieth of a second";
  EXPECT_EQ(observe(*world, whole(*world)).values[5], 61);
  world->shutdown();
  EXPECT_EQ(engines.size(), 1u);
  EXPECT_EQ(names, std::set<std::string>{"murk-engine"}) << "no worker ticks";
  EXPECT_FALSE(engines.contains(std::this_thread::get_id()));
}

// proves: MURK-POOL-5, MURK-OV-3
// proves part: MURK-POOL-4 (names, started with the world, over at its end; not that they are joined and not detached)
TEST_F(WorldTest, NamedWorkersStartAndEndWithTheWorld) {
  WorldConfig config = counting_world(clock);
  std::mutex mutex;
  std::vector<std::string> started;
  std::atomic<int> running{0};
  config.start_thread = [&](const std::string& name, std::function<void()> body) {
    const std::lock_guard lock(mutex);
    started.push_back(name);
    ++running;
    return start_named_thread(name, [&running, body = std::move(body)] {
      body();
      --running;
    });
  };
  std::set<std::string> seen;
  config.hook = [&](Moment /*moment*/) {
    char name[16] = {};
    pthread_getname_np(pthread_self(), name, sizeof(name));
    const std::lock_guard lock(mutex);
    seen.insert(name);
  };
  auto world = make_world(std::move(config));
  EXPECT_EQ(started, (std::vector<std::string>{"murk-egress-0", "murk-egress-1", "murk-engine"}));
  wait_for_tick(*world, 1);
  EXPECT_TRUE(observe(*world, whole(*world)).result);
  EXPECT_TRUE(seen.contains("murk-egress-0") || seen.contains("murk-egress-1"));
  EXPECT_EQ(end_at_once(*world, *clock).leaked_threads, 0u);
  EXPECT_EQ(running, 0);
}

// proves: MURK-POOL-6
TEST_F(WorldTest, WorkerThatCannotStartFailsConstruction) {
  for (const int refused : {1, 2, 3}) {
    WorldConfig config = counting_world(clock);
    config.epoch_config.worker_count = 3;
    int starts = 0;
    config.start_thread = [&](const std::string& name, std::function<void()> body) -> Result<std::thread> {
      if (++starts == refused) return fail(ErrorCode::kInternal, "no more threads");
      return start_named_thread(name, std::move(body));
    };
    const auto world = World::make(std::move(config));
    ASSERT_FALSE(world);
    EXPECT_EQ(world.error().context, "no more threads");
  }
}

// proves: MURK-POOL-6
TEST_F(WorldTest, WorkerThatCannotStartFailsAReset) {
  WorldConfig config = counting_world(clock);
  bool refuses = false;
  config.start_thread = [&refuses](const std::string& name, std::function<void()> body) -> Result<std::thread> {
    if (refuses && name == "murk-egress-1") return fail(ErrorCode::kInternal, "no more threads");
    return start_named_thread(name, std::move(body));
  };
  auto world = make_world(std::move(config));
  wait_for_tick(*world, 1);
  refuses = true;
  const auto again = world->reset();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().context, "no more threads");
}

TEST_F(WorldTest, OutOfMemoryThrowsInsteadOfCrashing) {
  WorldConfig config = counting_world();
  config.clock = []() -> MonoTime { throw std::bad_alloc(); };
  EXPECT_THROW((void)World::make(std::move(config)), std::bad_alloc);
}

// proves: MURK-POOL-3
// proves part: P-1 (a full queue)
TEST_F(WorldTest, QueueHoldsFourPerWorkerThenRefuses) {
  WorldConfig config = counting_world(clock);
  config.hook = Blocker::hook(blocker, Moment::kRegion);
  auto world = make_world(std::move(config));
  wait_for_tick(*world, 1);
  const ObsPlan plan = whole(*world);
  blocker->arm(2);
  std::vector<std::future<bool>> waiting;
  const auto observe_aside = [&] {
    waiting.push_back(std::async(std::launch::async, [&] { return observe(*world, plan).result.has_value(); }));
  };
  for (int i = 0; i < 2; ++i) observe_aside();
  blocker->wait_until_held(2);
  for (int i = 0; i < 8; ++i) observe_aside();
  wait_until([&] { return world->health().egress_depth == 8; });
  EXPECT_EQ(kind_of(observe(*world, plan)), ObsErrorKind::kQueueFull);
  EXPECT_EQ(world->health().egress_capacity, 8u);
  EXPECT_EQ(world->health().queue_full_rejections, 1u);
  blocker->release();
  for (auto& answer : waiting) EXPECT_TRUE(answer.get());
  WorldConfig larger = counting_world(clock);
  larger.epoch_config.worker_count = 5;
  EXPECT_EQ(make_world(std::move(larger))->health().egress_capacity, 20u);
}

// proves: MURK-OV-3, MURK-RING-2
TEST_F(WorldTest, TheEngineGoesOnWhileWorkersRead) {
  WorldConfig config = counting_world(clock);
  config.hook = Blocker::hook(blocker, Moment::kRead);
  auto world = make_world(std::move(config));
  wait_for_tick(*world, 1);
  const ObsPlan plan = whole(*world);
  blocker->arm(1);
  auto reading = std::async(std::launch::async, [&] { return observe(*world, plan); });
  blocker->wait_until_held(1);
  ticks(*world, 30);
  EXPECT_TRUE(observe(*world, plan).result) << "and so does the other worker";
  blocker->release();
  const Observed seen = reading.get();
  ASSERT_TRUE(seen.result);
  EXPECT_EQ(seen.result->tick, 1u);
  EXPECT_EQ(seen.result->age_ticks, 30u);
  EXPECT_EQ(seen.values, std::vector<double>(16, 1.0)) << "whole, though it was evicted long ago";
}

// F-6
// proves: MURK-RING-4, MURK-WRK-3, MURK-INT-1, MURK-WRK-5, MURK-RING-2
// proves part: MURK-RING-5 (told with the latest tick; not with the requested one, nor to callers from C)
// proves part: P-1 (invalidation)
TEST_F(WorldTest, AnEvictionMidPlanIsAnsweredAsPlanInvalidated) {
  WorldConfig config = counting_world(clock);
  config.hook = Blocker::hook(blocker, Moment::kRegion);
  auto world = make_world(std::move(config));
  wait_for_tick(*world, 1);
  const ObsPlan plan = *world->compile({{.field = 0}, {.field = 0}});
  blocker->arm(1);
  auto reading = std::async(std::launch::async, [&] { return observe(*world, plan); });
  blocker->wait_until_held(1);
  ticks(*world, 8);
  blocker->release();
  const Observed seen = reading.get();
  ASSERT_EQ(kind_of(seen), ObsErrorKind::kPlanInvalidated);
  EXPECT_EQ(seen.result.error().latest_tick, 9u);
  EXPECT_EQ(seen.result.error().to_string(), "PLAN_INVALIDATED (latest tick 9)");
  EXPECT_EQ(seen.result.error().as_error().context, "PLAN_INVALIDATED (latest tick 9)");
  EXPECT_EQ(world->health().ring_stale_read_events, 1u);
  const Observed gone = observe_tick(*world, 1, 1s, plan);
  ASSERT_EQ(kind_of(gone), ObsErrorKind::kNotAvailable);
  EXPECT_EQ(gone.result.error().requested_tick, 1u);
  EXPECT_EQ(gone.result.error().latest_tick, 9u);
}

// proves: MURK-PIN-2, MURK-WRK-1, MURK-INT-1, MURK-WRK-5
TEST_F(WorldTest, AnObservationGoesThroughItsStepsInOrder) {
  WorldConfig config = counting_world(clock);
  std::mutex mutex;
  std::vector<Moment> moments;
  config.hook = [&](Moment moment) {
    const std::lock_guard lock(mutex);
    moments.push_back(moment);
  };
  auto world = make_world(std::move(config));
  wait_for_tick(*world, 1);
  ASSERT_TRUE(observe(*world, *world->compile({{.field = 0}, {.field = 0}})).result);
  EXPECT_EQ(moments, (std::vector{Moment::kSelected, Moment::kPinned, Moment::kValidated, Moment::kRegion,
                                  Moment::kRead, Moment::kRegion, Moment::kRead, Moment::kUnpinning}));
  wait_until([&] {
    ticks(*world, 1);
    return world->health().oldest_pinned_epoch == kEpochUnpinned;
  });
}

// A sparse value that changes at every tick while somebody reads the one of long ago: with a block too few in the list
// of those that are seen, the reader would find a newer value.
// proves: MURK-SAFE-16
TEST_F(WorldTest, HeldSparseValueSurvivesFieldChanges) {
  WorldConfig config = counting_world(clock);
  config.epoch_config.ring_capacity = 2;
  config.fields.push_back({.name = "limit", .mutability = Mutability::kSparse, .initial = {5}});
  config.on_command = [](const Command& command, StepContext& context) -> Status {
    std::ranges::fill(context.update(1), command.value);
    return {};
  };
  config.hook = Blocker::hook(blocker, Moment::kRead);
  auto world = make_world(std::move(config));
  wait_for_tick(*world, 1);
  const ObsPlan limit = *world->compile({{.field = 1}});
  blocker->arm(1);
  auto reading = std::async(std::launch::async, [&] { return observe(*world, limit); });
  blocker->wait_until_held(1);
  for (int change = 1; change <= 8; ++change) {
    world->submit({.name = "limit", .value = 100.0 + change}, nullptr);
    ticks(*world, 1);
  }
  EXPECT_EQ(observe(*world, limit).values, std::vector<double>(16, 108));
  EXPECT_EQ(world->health().sparse_values_in_use, 3u) << "of the two ticks in the ring and of the reader";
  blocker->release();
  const Observed seen = reading.get();
  ASSERT_TRUE(seen.result);
  EXPECT_EQ(seen.result->tick, 1u);
  EXPECT_EQ(seen.values, std::vector<double>(16, 5));
  wait_until([&] {
    ticks(*world, 1);
    return world->health().sparse_values_in_use == 1;
  });
}

// proves: MURK-PUB-2, MURK-PUB-3
TEST_F(WorldTest, ARolledBackTickReclaimsToo) {
  WorldConfig config = counting_world(clock);
  config.epoch_config.ring_capacity = 2;
  std::atomic<bool> broken = false;
  const auto counting = config.propagators[0].step;
  config.propagators[0].step = [&broken, counting](StepContext& context) -> Status {
    if (broken) return fail(ErrorCode::kInternal, "broken");
    return counting(context);
  };
  config.hook = Blocker::hook(blocker, Moment::kRead);
  auto world = make_world(std::move(config));
  wait_for_tick(*world, 1);
  const ObsPlan plan = *world->compile({{.field = 0}});
  blocker->arm(1);
  auto reading = std::async(std::launch::async, [&] { return observe(*world, plan); });
  blocker->wait_until_held(1);
  ticks(*world, 4);
  EXPECT_EQ(world->health().live_generations, 3u) << "two in the ring and the reader's";
  broken = true;
  blocker->release();
  ASSERT_TRUE(reading.get().result);
  const auto before = world->health().rollback_events;
  wait_until([&] {
    clock->advance(20ms);
    return world->health().rollback_events > before;
  });
  wait_until([&] { return world->health().live_generations == 2u; });
  EXPECT_EQ(world->health().latest_tick, 5u) << "nothing was published";
}

// proves: MURK-RING-4, MURK-RING-6, MURK-TEST-6
TEST_F(WorldTest, AHandleWhoseGenerationIsGoneDoesNotResolve) {
  FieldStore store(2, 2);
  const CoarseClock coarse;
  const MomentHook no_hook;
  const std::vector<double> values{1.5};
  const auto publish = [&] {
    store.stage().fields = {values};
    store.publish();
  };
  publish();
  const auto pinned = PinnedFields::latest(store, store.workers()[0], coarse);
  const PinnedAccess access(*pinned, no_hook);
  const FieldHandle handle = access.handle(0);
  ASSERT_TRUE(access.resolve(handle));
  EXPECT_EQ((*access.resolve(handle))[0], 1.5);
  EXPECT_EQ(access.resolve({handle.generation + 1, 0}).error(), ArenaError::kGenerationEvicted);
  EXPECT_EQ(access.read(9).error(), ArenaError::kUnknownField);
  publish();
  EXPECT_TRUE(access.resolve(handle));
  publish();
  EXPECT_EQ(access.resolve(handle).error(), ArenaError::kGenerationEvicted);
  const auto newest = PinnedFields::latest(store, store.workers()[1], coarse);
  const PinnedAccess newer(*newest, no_hook);
  EXPECT_EQ(newer.handle(0).generation, 3u);
  EXPECT_TRUE(newer.resolve(newer.handle(0)));
  EXPECT_EQ(newer.resolve(handle).error(), ArenaError::kGenerationEvicted) << "it is still that of the first";
}

// proves part: R-SNAP-3 (a future tick is waited for until the timeout; not the time waited in the answer)
TEST_F(WorldTest, AFutureTickIsWaitedFor) {
  auto world = make_world(counting_world(clock));
  wait_for_tick(*world, 1);
  const ObsPlan plan = whole(*world);
  auto waiting = std::async(std::launch::async, [&] { return observe_tick(*world, 5, 3600s, plan); });
  ticks(*world, 4);
  const Observed seen = waiting.get();
  ASSERT_TRUE(seen.result);
  EXPECT_EQ(seen.result->tick, 5u);
  const Observed late = observe_tick(*world, 1000, 1ms, plan);
  ASSERT_EQ(kind_of(late), ObsErrorKind::kTimeoutWaitingForTick);
  EXPECT_EQ(late.result.error().requested_tick, 1000u);
  EXPECT_EQ(late.result.error().latest_tick, 5u);
}

TEST_F(WorldTest, WhoWaitsForATickHearsOfTheEndAtOnce) {
  auto world = make_world(counting_world(clock));
  wait_for_tick(*world, 1);
  const ObsPlan plan = whole(*world);
  auto waiting = std::async(std::launch::async, [&] { return observe_tick(*world, 500, 3600s, plan); });
  world->shutdown();
  EXPECT_EQ(kind_of(waiting.get()), ObsErrorKind::kShuttingDown);
}

// proves: MURK-INT-2
TEST_F(WorldTest, CommandsDoNotWaitForReaders) {
  WorldConfig config = counting_world(clock);
  config.hook = Blocker::hook(blocker, Moment::kRead);
  auto world = make_world(std::move(config));
  wait_for_tick(*world, 1);
  const ObsPlan plan = whole(*world);
  blocker->arm(2);
  std::vector<std::future<Observed>> reading;
  const ReleaseAtEnd release{*blocker};  // the readers are waited for even when the test ends early
  for (int i = 0; i < 2; ++i) reading.push_back(std::async(std::launch::async, [&] { return observe(*world, plan); }));
  blocker->wait_until_held(2);
  ticks(*world, 20);
  for (std::uint64_t i = 1; i <= 5; ++i) {
    auto receipt = world->submit({.name = "rate"});
    ticks(*world, 1);
    ASSERT_TRUE(is_answered(receipt));
    const Receipt applied = receipt.get();
    EXPECT_TRUE(applied.accepted());
    EXPECT_EQ(applied.arrival_sequence, i);
  }
  EXPECT_EQ(world->health().quarantined_generations, 1u) << "commands do not hold back what is reclaimed either";
  auto queued = world->submit({.name = "rate"});
  blocker->release();
  for (auto& answer : reading) answer.get();
  wait_until([&] { return world->health().quarantined_generations == 0; });
  ticks(*world, 1);
  ASSERT_TRUE(is_answered(queued));
  const Receipt waited = queued.get();
  EXPECT_TRUE(waited.accepted()) << "it waited in the queue while a generation was reclaimed";
  EXPECT_EQ(waited.arrival_sequence, 6u);
  auto next = world->submit({.name = "rate"});
  ticks(*world, 1);
  ASSERT_TRUE(is_answered(next));
  EXPECT_EQ(next.get().arrival_sequence, 7u) << "what is reclaimed takes no number";
}

// proves: MURK-BACK-4
// proves part: MURK-BACK-1 (stale over stale and applied ones; not expired and unsupported ones)
TEST_F(WorldTest, TheSkewOfTheMomentDecidesWhatIsStale) {
  auto world = make_world(counting_world(clock));
  wait_for_tick(*world, 1);
  ticks(*world, 20);
  const auto lagging = [&](std::uint64_t lag) {
    auto receipt = world->submit({.name = "rate", .basis_tick = world->health().latest_tick - lag});
    ticks(*world, 1);
    return receipt.get().outcome;
  };
  EXPECT_EQ(lagging(2), CommandOutcome::kApplied);
  EXPECT_EQ(lagging(3), CommandOutcome::kStale);
  EXPECT_EQ(world->health().max_skew, 3u) << "half of all were stale";
  EXPECT_EQ(lagging(3), CommandOutcome::kApplied) << "judged with the wider skew";
  EXPECT_EQ(world->health().stale_rejections, 1u);
  ticks(*world, 60);
  EXPECT_EQ(world->health().max_skew, 2u);
  for (int i = 0; i < 4; ++i) world->submit({.name = "rate"}, nullptr);
  EXPECT_EQ(lagging(3), CommandOutcome::kStale);
  EXPECT_EQ(world->health().max_skew, 2u) << "one of all five, not of the four that were applied";
}

// A command that is sent by the handler of another one waits for the next tick.
// proves: MURK-BACK-4
TEST_F(WorldTest, TheSkewIsReadWhenCommandsAreDrained) {
  WorldConfig config = counting_world(clock);
  World* sender = nullptr;
  std::uint64_t lag = 3;  // of the command that is sent on, when it is drained
  std::future<Receipt> sent_on;
  config.on_command = [&](const Command& command, StepContext& context) -> Status {
    if (command.name == "send") sent_on = sender->submit({.name = "rate", .basis_tick = context.tick() - lag});
    return {};
  };
  auto world = make_world(std::move(config));
  sender = world.get();
  wait_for_tick(*world, 1);
  ticks(*world, 20);
  world->submit({.name = "send"}, nullptr);
  ticks(*world, 2);
  EXPECT_EQ(sent_on.get().outcome, CommandOutcome::kStale) << "two ticks behind when it was sent, three when drained";
  ASSERT_EQ(world->health().max_skew, 3u);
  lag = 4;
  world->submit({.name = "rate", .basis_tick = 1}, nullptr);
  world->submit({.name = "send"}, nullptr);
  ticks(*world, 2);
  EXPECT_EQ(sent_on.get().outcome, CommandOutcome::kApplied) << "the tick in between has widened the skew";
  EXPECT_EQ(world->health().max_skew, 5u);
}

TEST_F(WorldTest, BuffersThatAreTooSmallAreRefused) {
  auto world = make_world(counting_world(clock));
  wait_for_tick(*world, 1);
  std::vector<double> values(15);
  std::vector<std::uint8_t> mask(16);
  const auto result = world->observe(whole(*world), values, mask);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ObsErrorKind::kBufferTooSmall);
}

}  // namespace
}  // namespace hyperscale::realtime
