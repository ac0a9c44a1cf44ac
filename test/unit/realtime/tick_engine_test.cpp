#include "realtime/tick_engine.h"

#include "test_world.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::realtime {
namespace {

// proves: MURK-SAFE-16, MURK-RECL-3, MURK-OV-5
TEST(TickEngine, OnlyPerTickFieldsLieInAGenerationsOwnSegment) {
  WorldConfig config = counting_world();
  config.mode = Mode::kLockstep;
  config.fields.push_back({.name = "weight", .mutability = Mutability::kFixed, .initial = {0.5}});
  config.fields.push_back({.name = "limit", .mutability = Mutability::kSparse, .initial = {5}});
  FieldStore store(2, 1);
  Ingress ingress(1);
  PublishGate gate;
  WorldMetrics metrics;
  TickEngine engine(config, 1, store, ingress, gate, metrics);
  std::set<const double*> weights, limits;
  const double* newest = nullptr;
  for (Epoch tick = 1; tick <= 20; ++tick) {
    ASSERT_EQ(engine.tick().kind, TickOutcome::Kind::kPublished);
    const FieldGeneration& generation = store.payload(*store.ring().in_slot_of(tick));
    EXPECT_EQ(generation.segment.used(), 16u) << "room for the one per-tick field and nothing else";
    EXPECT_NE(generation.fields[0].data(), std::exchange(newest, generation.fields[0].data()));
    weights.insert(generation.fields[1].data());
    limits.insert(generation.fields[2].data());
    EXPECT_EQ(generation.fields[1][15], 0.5);
    EXPECT_EQ(generation.fields[2][15], 5);
  }
  EXPECT_EQ(weights.size(), 1u) << "one place for ever";
  EXPECT_EQ(limits.size(), 1u) << "nobody has changed it";
}

// proves: MURK-RECL-3, MURK-OV-5
TEST(TickEngine, AGenerationIsReclaimedWholeByOnePointer) {
  WorldConfig config = counting_world();
  config.mode = Mode::kLockstep;
  config.fields.push_back({.name = "carried", .initial = {3}});
  config.block_words = 4;
  config.propagators[0].step = [counting = config.propagators[0].step](StepContext& context) {
    std::ranges::fill(context.write_block(), context.tick());
    return counting(context);
  };
  FieldStore store(2, 1);
  Ingress ingress(1);
  PublishGate gate;
  WorldMetrics metrics;
  TickEngine engine(config, 1, store, ingress, gate, metrics);
  engine.tick();
  const RingEntry entry = *store.ring().in_slot_of(1);
  const FieldGeneration& first = store.payload(entry);
  const double* counts = first.fields[0].data();
  engine.tick();
  EXPECT_EQ(first.segment.used(), 32u) << "two fields of 16 cells, and still in the ring";
  engine.tick();
  EXPECT_EQ(first.segment.used(), 0u) << "both at once";
  EXPECT_EQ(store.tag(entry.record), kNothingPublished);
  EXPECT_TRUE(store.pending().empty());
  for (int cell = 0; cell < 16; ++cell) EXPECT_EQ(counts[cell], 1) << "its values were not touched";
  EXPECT_EQ(first.block, std::vector<std::uint64_t>(4, 1)) << "nor its words";
}

}  // namespace
}  // namespace hyperscale::realtime
