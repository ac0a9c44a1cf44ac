// A world on one thread: the core's own threads are never started, the test ticks, looks and pins in their place.
#include "realtime/world_core.h"

#include "realtime/shutdown.h"
#include "test_world.h"

#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::realtime {
namespace {

// A hold of 60 s and a grace of 6 s, as in counting_world(clock); two workers, so four readers.
class WorldCoreTest : public testing::Test {
 protected:
  WorldConfig config() {
    WorldConfig config = counting_world(clock);
    config.log = LogLines::sink(log);
    config.start_thread = [this](const std::string&, const std::function<void()>&) -> Result<std::thread> {
      ++starts;
      return fail(ErrorCode::kInternal, "no thread is started here");
    };
    return config;
  }
  static std::shared_ptr<WorldCore> make(WorldConfig config) {
    return std::make_shared<WorldCore>(std::move(config), 1);
  }
  void pin(WorldCore& core, std::size_t reader) const {
    core.store.workers()[reader].pin(core.store.current(), clock->now().ns());
  }
  void unpin(WorldCore& core, std::size_t reader) const { core.store.workers()[reader].unpin(clock->now().ns()); }
  void look_after(WorldCore& core, Duration time) const {
    clock->advance(time);
    core.look_after();
  }

  std::shared_ptr<FakeClock> clock = std::make_shared<FakeClock>();
  std::shared_ptr<LogLines> log = std::make_shared<LogLines>();
  int starts = 0;  // of threads, that were asked for
};

// proves: MURK-STALL-2, MURK-STALL-1, MURK-TEST-7
// proves part: MURK-STALL-4 (judged by the start of its pin; not that a worker stamps it with a fresh time)
TEST_F(WorldCoreTest, ATickBeginsWithALookAtTheReaders) {
  WorldConfig watched = config();
  std::shared_ptr<WorldCore> core;
  std::vector<std::pair<bool, std::uint64_t>> seen;  // by the step of a tick: reader 1 cancelled, readers given up
  watched.propagators[0].step = [&, counting = watched.propagators[0].step](StepContext& context) {
    seen.emplace_back(core->store.workers()[1].is_cancelled(), core->metrics.worker_stall_events.load());
    return counting(context);
  };
  core = make(std::move(watched));
  core->make_tick();
  pin(*core, 1);
  for (const Duration time : {60s, 1s, 6s}) {
    clock->advance(time);
    core->make_tick();
  }
  EXPECT_EQ(seen, (std::vector<std::pair<bool, std::uint64_t>>{{false, 0}, {false, 0}, {true, 0}, {true, 1}}));
}

// proves: MURK-RECL-1, MURK-RECL-5, MURK-TEST-8, MURK-STALL-8, MURK-PIN-6, MURK-SAFE-5, MURK-STALL-1
// proves part: MURK-STALL-5 (all but that its own generation counts as unpinned: that one stays until it lets go)
TEST_F(WorldCoreTest, TheOldestPinLeavesOutReadersGivenUp) {
  const auto core = make(config());
  const auto oldest = [&] { return core->metrics.oldest_pinned_epoch.load(); };
  core->make_tick();
  EXPECT_EQ(oldest(), kEpochUnpinned);
  pin(*core, 3);
  look_after(*core, 30s);
  core->make_tick();
  pin(*core, 0);
  look_after(*core, 0s);
  EXPECT_EQ(oldest(), 1u);
  look_after(*core, 31s);
  EXPECT_TRUE(core->store.workers()[3].is_cancelled());
  look_after(*core, 5s);
  EXPECT_EQ(oldest(), 1u) << "it has a grace of six seconds";
  EXPECT_EQ(starts, 0);
  look_after(*core, 1s);
  EXPECT_EQ(oldest(), 2u);
  EXPECT_EQ(core->store.workers()[3].pinned_epoch(), 1u) << "the word is its own";
  EXPECT_EQ(log->count(LogLevel::kWarn, "worker 3 force-unpinned: it held epoch 1 for 67000 ms"), 1);
  EXPECT_EQ(log->count(LogLevel::kWarn, ""), 1);
  EXPECT_EQ(core->metrics.worker_stall_events, 1u);
  EXPECT_FALSE(core->store.workers()[0].is_cancelled());
  for (int i = 0; i < 20; ++i) core->make_tick();
  EXPECT_EQ(core->metrics.quarantined_generations, 2u) << "that of the one given up is kept as well";
  unpin(*core, 3);
  core->make_tick();
  EXPECT_EQ(core->metrics.quarantined_generations, 1u);
  unpin(*core, 0);
  core->make_tick();
  EXPECT_EQ(oldest(), kEpochUnpinned);
}

// F-5
// proves: MURK-RECL-6, MURK-SAFE-7
TEST_F(WorldCoreTest, TheNextPinOfAReaderGivenUpCounts) {
  for (const bool seen_unpinned : {true, false}) {
    const auto core = make(config());
    core->make_tick();
    pin(*core, 1);
    look_after(*core, 61s);
    look_after(*core, 6s);
    ASSERT_EQ(core->metrics.worker_stall_events, 1u);
    ASSERT_EQ(core->metrics.oldest_pinned_epoch, kEpochUnpinned);
    unpin(*core, 1);
    if (seen_unpinned) core->look_after();
    pin(*core, 1);
    core->look_after();
    EXPECT_EQ(core->metrics.oldest_pinned_epoch, 1u);
    EXPECT_FALSE(core->store.workers()[1].is_cancelled());
    look_after(*core, 61s);
    EXPECT_TRUE(core->store.workers()[1].is_cancelled()) << "judged afresh";
    look_after(*core, 6s);
    EXPECT_EQ(core->metrics.worker_stall_events, 2u);
  }
}

// proves part: MURK-STALL-6 (found unpinned; not one that is at its next request when it is torn down)
TEST_F(WorldCoreTest, NothingIsDoneToAReaderThatRecovered) {
  const auto core = make(config());
  core->make_tick();
  pin(*core, 2);
  look_after(*core, 61s);
  ASSERT_TRUE(core->store.workers()[2].is_cancelled());
  unpin(*core, 2);
  look_after(*core, 7s);
  EXPECT_EQ(core->metrics.worker_stall_events, 0u);
  EXPECT_EQ(starts, 0) << "it needs no replacement";
  EXPECT_EQ(log->count(LogLevel::kWarn, ""), 0);
}

// proves: MURK-PIN-5, MURK-PIN-6
TEST_F(WorldCoreTest, ASeatIsTakenWithoutAnOldCancellation) {
  const auto core = make(config());
  WorkerRecord<>& record = core->store.workers()[0];
  record.pin(1, 0);
  record.request_cancel(record.sequence());
  record.unpin(0);
  ASSERT_TRUE(record.is_cancelled());
  EXPECT_FALSE(core->pool.start(core));
  EXPECT_EQ(starts, 1);
  EXPECT_FALSE(record.is_cancelled());
  record.pin(2, 0);
  EXPECT_FALSE(core->pool.start(core));
  EXPECT_EQ(record.pinned_epoch(), 2u) << "who gives a seat away writes no pin";
}

// proves: MURK-SHUT-7, MURK-STALL-8, MURK-PIN-6
TEST_F(WorldCoreTest, AShutdownOverridesPinsAndWritesNone) {
  WorldConfig stuck = config();
  stuck.clock = [moved = clock] {
    moved->advance(10s);  // there is no thread but this one: time passes by asking for it
    return moved->now();
  };
  const auto core = make(std::move(stuck));
  core->make_tick();
  pin(*core, 0);
  pin(*core, 3);
  const ShutdownResult result = shut_down(*core, Ingress::Gate::kShuttingDown);
  EXPECT_EQ(result.stalled_workers, 2u);
  EXPECT_EQ(log->count(LogLevel::kError, "worker 0 is still pinned to epoch 1"), 1);
  EXPECT_EQ(log->count(LogLevel::kError, "worker 3 is still pinned to epoch 1"), 1);
  EXPECT_EQ(log->count(LogLevel::kError, ""), 2);
  for (const std::size_t reader : {0u, 3u}) EXPECT_EQ(core->store.workers()[reader].pinned_epoch(), 1u);
  for (const std::size_t reader : {1u, 2u}) EXPECT_FALSE(core->store.workers()[reader].is_pinned());
}

// proves: MURK-PUB-3
// proves part: MURK-SHUT-4 (nothing of an abandoned tick stays; not the commands of one that is completed)
// proves part: MURK-SAFE-8 (a tick that is too late is rolled back; not that check and publication are one step)
// proves part: MURK-SHUT-5 (nothing once it is over; not a tick at its gate when draining ends)
TEST_F(WorldCoreTest, ATickThatComesTooLateLeavesNothing) {
  WorldConfig late = config();
  late.fields.push_back({.name = "limit", .mutability = Mutability::kSparse, .initial = {5}});
  late.propagators[0].writes.push_back({1});
  late.propagators[0].step = [counting = late.propagators[0].step](StepContext& context) {
    if (context.tick() > 1) {
      context.update(1)[0] = 99;
      context.parameters_changed();
    }
    return counting(context);
  };
  const auto core = make(std::move(late));
  core->make_tick();
  core->gate.close();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(core->make_tick().kind, TickOutcome::Kind::kRolledBack);
    EXPECT_EQ(core->store.current(), 1u);
    EXPECT_FALSE(core->store.ring().in_slot_of(2));
    EXPECT_EQ(core->metrics.live_generations, 1u);
    EXPECT_EQ(core->metrics.sparse_values_in_use, 1u);
    EXPECT_EQ(core->metrics.parameter_version, 0u);
  }
  const FieldGeneration& newest = core->store.payload(*core->store.ring().in_slot_of(1));
  EXPECT_EQ(newest.fields[0][15], 1);
  EXPECT_EQ(newest.fields[1][0], 5);
}

// proves: MURK-PUB-2
TEST_F(WorldCoreTest, ATickThatIsRolledBackReclaims) {
  WorldConfig failing = config();
  failing.epoch_config.ring_capacity = 2;
  bool broken = false;
  failing.propagators[0].step = [&broken, counting = failing.propagators[0].step](StepContext& context) -> Status {
    if (broken) return fail(ErrorCode::kInternal, "broken");
    return counting(context);
  };
  const auto core = make(std::move(failing));
  core->make_tick();
  pin(*core, 0);
  for (int i = 0; i < 3; ++i) core->make_tick();
  ASSERT_EQ(core->metrics.quarantined_generations, 1u);
  broken = true;
  EXPECT_EQ(core->make_tick().kind, TickOutcome::Kind::kRolledBack);
  EXPECT_EQ(core->metrics.quarantined_generations, 1u) << "its reader is still there";
  unpin(*core, 0);
  EXPECT_EQ(core->make_tick().kind, TickOutcome::Kind::kRolledBack);
  EXPECT_EQ(core->metrics.quarantined_generations, 0u);
  EXPECT_EQ(core->metrics.live_generations, 2u);
}

// No other tick is published that would free it.
// proves: MURK-SAFE-16
TEST_F(WorldCoreTest, ASparseValueGoesWithItsLastReader) {
  WorldConfig changing = config();
  changing.epoch_config.ring_capacity = 2;
  changing.fields.push_back({.name = "limit", .mutability = Mutability::kSparse, .initial = {5}});
  changing.propagators[0].writes.push_back({1});
  changing.propagators[0].step = [counting = changing.propagators[0].step](StepContext& context) {
    if (context.tick() == 2) context.update(1)[0] = 9;
    return counting(context);
  };
  const auto core = make(std::move(changing));
  core->make_tick();
  pin(*core, 0);
  for (int i = 0; i < 4; ++i) core->make_tick();
  EXPECT_EQ(core->metrics.sparse_values_in_use, 2u) << "the reader's and the current one";
  core->look_after();
  EXPECT_EQ(core->metrics.sparse_values_in_use, 2u);
  unpin(*core, 0);
  core->look_after();
  EXPECT_EQ(core->metrics.sparse_values_in_use, 1u);
}

// proves: MURK-BACK-7, MURK-BACK-2, MURK-BACK-3
TEST_F(WorldCoreTest, AWorldTakesAllFiveBackoffParameters) {
  WorldConfig tuned = config();
  tuned.backoff_config = {.initial_max_skew = 4,
                          .backoff_factor = 2,
                          .max_skew_cap = 12,
                          .decay_interval = 2,
                          .rejection_rate_threshold = 0.5};
  const auto core = make(std::move(tuned));
  for (int i = 0; i < 20; ++i) core->make_tick();
  const auto skew_after = [&](int fresh, int stale) {
    for (int i = 0; i < fresh; ++i) core->ingress.submit({.name = "rate"}, nullptr, {});
    for (int i = 0; i < stale; ++i) core->ingress.submit({.name = "rate", .basis_tick = 0}, nullptr, {});
    core->make_tick();
    return core->metrics.max_skew.load();
  };
  EXPECT_EQ(skew_after(0, 0), 4u);
  EXPECT_EQ(skew_after(5, 5), 4u) << "half is not above the threshold";
  EXPECT_EQ(skew_after(4, 6), 8u);
  EXPECT_EQ(skew_after(0, 10), 12u);
  EXPECT_EQ(skew_after(0, 10), 12u);
  EXPECT_EQ(skew_after(0, 0), 12u);
  EXPECT_EQ(skew_after(0, 0), 11u) << "two quiet ticks";
}

// Readers that pin, unpin and stall at random: also the generation of one that was given up stays, and no other does.
// proves: MURK-TEST-10, MURK-TEST-11, MURK-SAFE-5, MURK-PUB-2
RC_GTEST_PROP(WorldCoreProperty, StalledReadersKeepTheirOwnAndNoMore, ()) {
  const auto clock = std::make_shared<FakeClock>();
  WorldConfig config = counting_world(clock);
  config.epoch_config.ring_capacity = *rc::gen::inRange<std::size_t>(2, 6);
  config.start_thread = [](const std::string&, const std::function<void()>&) -> Result<std::thread> {
    return fail(ErrorCode::kInternal, "no thread is started here");
  };
  const auto core = std::make_shared<WorldCore>(std::move(config), 1);
  core->make_tick();
  std::vector<std::optional<PinnedFields>> held(core->store.workers().size());
  for (const std::uint32_t step :
       *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::arbitrary<std::uint32_t>())) {
    const std::size_t reader = step / 4 % held.size();
    if (step % 4 == 0) core->make_tick();
    if (step % 4 == 1) {
      clock->advance(40s);
      core->look_after();
    }
    if (step % 4 == 2) held[reader].reset();
    if (step % 4 == 3 && !held[reader]) {
      auto pinned = PinnedFields::latest(core->store, core->store.workers()[reader], core->clock);
      RC_ASSERT(pinned.has_value());
      held[reader].emplace(std::move(*pinned));
    }
    std::set<Epoch> evicted_and_held;
    for (const auto& pinned : held) {
      if (!pinned) continue;
      const auto expected = static_cast<double>(pinned->epoch());
      for (const double value : pinned->payload().fields[0]) RC_ASSERT(value == expected);
      if (pinned->evicted()) evicted_and_held.insert(pinned->epoch());
    }
    if (step % 4 > 1) continue;
    RC_ASSERT(core->metrics.quarantined_generations == evicted_and_held.size());
    RC_ASSERT(core->metrics.live_generations <= core->store.ring().capacity() + evicted_and_held.size());
  }
}

}  // namespace
}  // namespace hyperscale::realtime
