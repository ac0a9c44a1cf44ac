#include "test_world.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::realtime {
namespace {

WorldConfig lockstep() {
  WorldConfig config = counting_world();
  config.mode = Mode::kLockstep;
  return config;
}

std::uint64_t step(World& world) {
  auto outcome = world.step();
  CHECK(outcome, "{}", outcome.error().to_string());
  return outcome->tick;
}

ObsPlan first_cell(const World& world, FieldId field = 0) {
  return *world.compile({{.field = field, .region = Region::cells({{0, 0}})}});
}

// proves: MURK-OV-2, MURK-RING-1, MURK-WRK-1, MURK-OV-5
// proves part: MURK-PUB-1 (pushed, advanced, evicted; not that what is staged is final before the push)
TEST(LockstepWorld, EveryTickPublishesOneSnapshotWithItsMetadata) {
  auto world = make_world(lockstep());
  const ObsPlan plan = first_cell(*world);
  EXPECT_EQ(kind_of(observe(*world, plan)), ObsErrorKind::kNoSnapshot);
  for (std::uint64_t tick = 1; tick <= 20; ++tick) {
    ASSERT_EQ(step(*world), tick);
    const Observed seen = observe(*world, plan);
    ASSERT_TRUE(seen.result);
    EXPECT_EQ(seen.result->tick, tick);
    EXPECT_EQ(seen.result->age_ticks, 0u);
    EXPECT_EQ(seen.result->coverage, 1);
    EXPECT_EQ(seen.result->world_generation, plan.world_generation());
    EXPECT_EQ(seen.values[0], static_cast<double>(tick));
  }
  EXPECT_EQ(world->health().live_generations, 8u) << "the ring is full, nothing else is kept";
  EXPECT_EQ(world->health().ring_eviction_events, 12u);
}

// proves: MURK-WRK-1, MURK-WRK-3
// proves part: R-SNAP-3 (a tick that is there and one that was evicted)
TEST(LockstepWorld, ATickByNumberIsThatTickOrAnAnswerWhyNot) {
  auto world = make_world(lockstep());
  const ObsPlan plan = first_cell(*world);
  for (int i = 0; i < 10; ++i) step(*world);
  EXPECT_EQ(observe_tick(*world, 3, 1s, plan).values[0], 3);
  EXPECT_EQ(observe_tick(*world, 3, 1s, plan).result->age_ticks, 7u);
  const Observed gone = observe_tick(*world, 2, 1s, plan);
  ASSERT_EQ(kind_of(gone), ObsErrorKind::kNotAvailable);
  EXPECT_EQ(gone.result.error().latest_tick, 10u);
  EXPECT_EQ(gone.result.error().requested_tick, 2u);
  EXPECT_EQ(kind_of(observe_tick(*world, 11, 1s, plan)), ObsErrorKind::kTimeoutWaitingForTick);
}

// proves: MURK-TEST-26
// proves part: MURK-BACK-5 (fixed at 0 or 1; not that 0 is the default)
// proves part: MURK-INT-3 (backoff is for RealtimeAsync only)
TEST(LockstepWorld, TheSkewIsFixedAndBackoffIsIgnored) {
  for (const std::uint64_t skew : {0u, 1u}) {
    WorldConfig config = lockstep();
    config.lockstep_skew = skew;
    auto world = make_world(std::move(config));
    for (int i = 0; i < 5; ++i) step(*world);
    for (int i = 0; i < 20; ++i) {
      const std::uint64_t newest = world->health().latest_tick;
      auto stale = world->submit({.name = "a", .basis_tick = newest - skew - 1});
      auto fresh = world->submit({.name = "a", .basis_tick = newest - skew});
      step(*world);
      EXPECT_EQ(stale.get().outcome, CommandOutcome::kStale);
      EXPECT_EQ(fresh.get().outcome, CommandOutcome::kApplied);
      EXPECT_EQ(world->health().max_skew, skew);
    }
  }
  WorldConfig config = lockstep();
  config.lockstep_skew = 2;
  EXPECT_FALSE(World::make(std::move(config)));
}

// proves: MURK-WRK-1
TEST(LockstepWorld, CommandsAreAppliedInOrderAndCountInTheirTick) {
  WorldConfig config = lockstep();
  std::vector<std::string> applied;
  config.on_command = [&](const Command& command, StepContext& context) -> Status {
    if (command.name == "unknown") return fail(ErrorCode::kInvalidArgument, "no such command");
    applied.push_back(command.name);
    context.parameters_changed();
    return {};
  };
  auto world = make_world(std::move(config));
  auto user = world->submit({.name = "user"});
  auto system = world->submit({.name = "system", .priority = kSystemPriority});
  auto unknown = world->submit({.name = "unknown"});
  step(*world);
  EXPECT_EQ(applied, (std::vector<std::string>{"system", "user"}));
  const Receipt receipt = user.get();
  EXPECT_TRUE(receipt.accepted());
  EXPECT_EQ(receipt.tick, 1u);
  EXPECT_EQ(receipt.arrival_sequence, 1u);
  EXPECT_EQ(receipt.parameter_version, 1u);
  EXPECT_EQ(system.get().arrival_sequence, 2u);
  const Receipt refused = unknown.get();
  EXPECT_EQ(refused.outcome, CommandOutcome::kUnsupported);
  EXPECT_EQ(refused.reason, "no such command");
  EXPECT_EQ(observe(*world, first_cell(*world)).result->parameter_version, 1u);
}

// proves: MURK-PUB-3, MURK-OV-5
TEST(LockstepWorld, AFailedPropagatorRollsTheTickBack) {
  WorldConfig config = lockstep();
  bool broken = false;
  const auto counting = config.propagators[0].step;
  config.propagators[0].step = [&](StepContext& context) -> Status {
    (void)counting(context);
    if (broken) throw std::runtime_error("division by zero");
    return {};
  };
  config.on_command = [](const Command& /*command*/, StepContext& context) -> Status {
    context.parameters_changed();
    return {};
  };
  auto world = make_world(std::move(config));
  step(*world);
  broken = true;
  auto command = world->submit({.name = "rate"});
  const auto outcome = world->step();
  EXPECT_EQ(outcome->kind, TickOutcome::Kind::kRolledBack);
  EXPECT_EQ(outcome->reason, "propagator counting: division by zero");
  EXPECT_EQ(outcome->tick, 1u) << "the epoch has not moved";
  EXPECT_EQ(command.get().outcome, CommandOutcome::kTickRollback);
  EXPECT_EQ(observe(*world, first_cell(*world)).values[0], 1);
  EXPECT_EQ(world->consecutive_rollbacks(), 1u);
  EXPECT_EQ(world->health().parameter_version, 0u) << "nor has the version";
  broken = false;
  EXPECT_EQ(step(*world), 2u);
  EXPECT_EQ(world->consecutive_rollbacks(), 0u);
  EXPECT_EQ(observe(*world, first_cell(*world)).values[0], 2);
  EXPECT_EQ(observe(*world, first_cell(*world)).result->parameter_version, 0u);
}

// proves: MURK-OV-5
TEST(LockstepWorld, ATickThatAppliesACommandIsOneEpochToo) {
  WorldConfig config = lockstep();
  config.on_command = [](const Command& /*command*/, StepContext& context) -> Status {
    context.parameters_changed();
    return {};
  };
  auto world = make_world(std::move(config));
  for (std::uint64_t tick = 1; tick <= 20; ++tick) {
    auto command = world->submit({.name = "rate"});
    ASSERT_EQ(step(*world), tick);
    ASSERT_EQ(command.get().outcome, CommandOutcome::kApplied);
    EXPECT_EQ(world->health().latest_tick, tick);
  }
}

// What a rolled-back tick wrote is in no later tick, also where values are shared between ticks.
// proves: MURK-PUB-3, MURK-SAFE-16
TEST(LockstepWorld, ARollbackLeavesNoSparseWrite) {
  WorldConfig config = lockstep();
  config.fields.push_back({.name = "limit", .mutability = Mutability::kSparse, .initial = {5}});
  config.on_command = [](const Command& command, StepContext& context) -> Status {
    std::ranges::fill(context.update(1), command.value);
    return {};
  };
  bool broken = false;
  const auto counting = config.propagators[0].step;
  config.propagators[0].step = [&](StepContext& context) -> Status {
    if (broken) return fail(ErrorCode::kInternal, "broken");
    return counting(context);
  };
  auto world = make_world(std::move(config));
  world->submit({.name = "limit", .value = 7}, nullptr);
  step(*world);
  broken = true;
  world->submit({.name = "limit", .value = 99}, nullptr);
  EXPECT_EQ(world->step()->kind, TickOutcome::Kind::kRolledBack);
  EXPECT_EQ(observe(*world, first_cell(*world, 1)).values[0], 7);
  broken = false;
  EXPECT_EQ(step(*world), 2u) << "it writes nothing there";
  EXPECT_EQ(observe(*world, first_cell(*world, 1)).values[0], 7);
}

// F-7
// proves: MURK-PUB-4
TEST(LockstepWorld, ThreeRollbacksInARowDisableTicks) {
  WorldConfig config = lockstep();
  bool broken = false;
  const auto counting = config.propagators[0].step;
  config.propagators[0].step = [&](StepContext& context) -> Status {
    if (broken) return fail(ErrorCode::kInternal, "broken");
    return counting(context);
  };
  auto world = make_world(std::move(config));
  step(*world);
  broken = true;
  for (int i = 0; i < 2; ++i) EXPECT_EQ(world->step()->kind, TickOutcome::Kind::kRolledBack);
  broken = false;
  EXPECT_EQ(step(*world), 2u);
  broken = true;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(world->step()->kind, TickOutcome::Kind::kRolledBack) << "they count anew";
  broken = false;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(world->step()->kind, TickOutcome::Kind::kDisabled);
  EXPECT_EQ(world->health().latest_tick, 2u);
  EXPECT_TRUE(world->health().tick_disabled);
  EXPECT_EQ(world->submit({.name = "rate"}).get().outcome, CommandOutcome::kTickDisabled);
  EXPECT_EQ(observe(*world, first_cell(*world)).values[0], 2) << "the last good snapshot is still served";
  ASSERT_TRUE(world->reset());
  EXPECT_FALSE(world->health().tick_disabled);
  EXPECT_EQ(step(*world), 1u) << "a reset begins anew";
}

// proves: MURK-SAFE-16
TEST(LockstepWorld, FieldsKeepTheirKinds) {
  WorldConfig config = lockstep();
  config.fields = {{.name = "count"},
                   {.name = "limit", .mutability = Mutability::kSparse, .initial = {5}},
                   {.name = "weight", .mutability = Mutability::kFixed, .initial = {0.5}},
                   {.name = "carried", .initial = {3}}};
  config.on_command = [](const Command& command, StepContext& context) -> Status {
    context.update(1)[0] = command.value;
    return {};
  };
  auto world = make_world(std::move(config));
  const ObsPlan limit = first_cell(*world, 1), weight = first_cell(*world, 2), carried = first_cell(*world, 3);
  step(*world);
  EXPECT_EQ(observe(*world, limit).values[0], 5);
  EXPECT_EQ(observe(*world, weight).values[0], 0.5);
  world->submit({.name = "limit", .value = 9}, nullptr);
  step(*world);
  EXPECT_EQ(observe(*world, limit).values[0], 9);
  EXPECT_EQ(observe_tick(*world, 1, 0s, limit).values[0], 5) << "the older tick has the older value";
  for (int i = 0; i < 30; ++i) {
    world->submit({.name = "limit", .value = 100.0 + i}, nullptr);
    step(*world);
  }
  EXPECT_EQ(observe(*world, limit).values[0], 129);
  EXPECT_EQ(observe_tick(*world, 28, 0s, limit).values[0], 125);
  EXPECT_EQ(observe(*world, weight).values[0], 0.5);
  EXPECT_EQ(observe(*world, carried).values[0], 3) << "what nobody writes is carried on";
}

TEST(LockstepWorld, IncrementalWritesStartFromLastValues) {
  WorldConfig config = lockstep();
  config.fields = {{.name = "sum"}, {.name = "copy"}, {.name = "before"}};
  config.propagators = {{.name = "sum",
                         .writes = {{0, WriteMode::kIncremental}},
                         .step = [](StepContext& context) -> Status {
                           for (double& value : context.write(0)) value += 2;
                           return {};
                         }},
                        {.name = "copy",
                         .writes = {{1}, {2}},
                         .step = [](StepContext& context) -> Status {
                           const auto now = context.read(0), before = context.read_previous(0);
                           std::copy(now.begin(), now.end(), context.write(1).begin());
                           std::copy(before.begin(), before.end(), context.write(2).begin());
                           return {};
                         },
                         .reads = {0}}};
  auto world = make_world(std::move(config));
  for (int i = 0; i < 5; ++i) step(*world);
  EXPECT_EQ(observe(*world, first_cell(*world, 0)).values[0], 10);
  EXPECT_EQ(observe(*world, first_cell(*world, 1)).values[0], 10);
  EXPECT_EQ(observe(*world, first_cell(*world, 2)).values[0], 8);
}

TEST(LockstepWorld, PlansOfAnotherLayoutAreInvalid) {
  auto world = make_world(lockstep());
  const ObsPlan plan = first_cell(*world);
  step(*world);
  ASSERT_TRUE(world->reset());
  step(*world);
  EXPECT_TRUE(observe(*world, plan).result) << "the same layout";
  ASSERT_TRUE(world->reset(Grid{2, 2}));
  step(*world);
  EXPECT_EQ(kind_of(observe(*world, plan)), ObsErrorKind::kPlanInvalidated);
  EXPECT_TRUE(observe(*world, first_cell(*world)).result);
}

TEST(LockstepWorld, AnEndedWorldSaysSo) {
  auto world = make_world(lockstep());
  step(*world);
  const ObsPlan plan = first_cell(*world);
  EXPECT_TRUE(world->shutdown().clean());
  EXPECT_FALSE(world->step());
  EXPECT_FALSE(world->reset());
  EXPECT_EQ(kind_of(observe(*world, plan)), ObsErrorKind::kShuttingDown);
}

// proves part: MURK-MEM-2 (400 KB per generation; the worst case of 16 is computed, not reached)
TEST(LockstepWorld, AGenerationOfTheReferenceProfileTakes400KB) {
  WorldConfig config = lockstep();
  config.grid = {100, 100};
  config.fields = {{.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "d"}, {.name = "e"}};
  auto world = make_world(std::move(config));
  constexpr std::size_t kGenerations = 8 + 1 + 2;  // ring, the one reader, staged and spare
  EXPECT_EQ(world->health().memory_bytes, 400'000u * kGenerations);
  EXPECT_LE(world->health().memory_bytes / kGenerations * 16, 6'400'000u) << "the worst case of eight workers";
}

}  // namespace
}  // namespace hyperscale::realtime
