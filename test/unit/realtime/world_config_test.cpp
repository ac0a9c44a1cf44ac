#include "test_world.h"

#include <cmath>

#include <gtest/gtest.h>

namespace hyperscale::realtime {
namespace {

template <typename Change>
bool valid(Change change) {
  WorldConfig config = counting_world();
  change(config);
  return validate(config).has_value();
}

// proves: MURK-RING-1
TEST(WorldConfig, TheRingHasTwoTo64SlotsAndEightByDefault) {
  EXPECT_EQ(EpochConfig{}.ring_capacity, 8u);
  EXPECT_FALSE(valid([](WorldConfig& c) { c.epoch_config.ring_capacity = 1; }));
  EXPECT_TRUE(valid([](WorldConfig& c) { c.epoch_config.ring_capacity = 2; }));
  EXPECT_TRUE(valid([](WorldConfig& c) { c.epoch_config.ring_capacity = 64; }));
  EXPECT_FALSE(valid([](WorldConfig& c) { c.epoch_config.ring_capacity = 65; }));
  for (const std::size_t capacity : {2u, 64u}) {
    WorldConfig config = counting_world();
    config.mode = Mode::kLockstep;
    config.epoch_config.ring_capacity = capacity;
    auto world = make_world(std::move(config));
    for (int i = 0; i < 70; ++i) ASSERT_TRUE(world->step());
    EXPECT_EQ(world->health().ring_length, capacity);
    EXPECT_EQ(world->health().oldest_tick, 71 - capacity);
  }
  WorldConfig largest = counting_world();
  largest.epoch_config.ring_capacity = 64;
  largest.epoch_config.worker_count = kWorkersMost;
  EXPECT_EQ(make_world(std::move(largest))->health().ring_capacity, 64u);
}

// proves: MURK-RING-1
TEST(WorldConfig, AResetKeepsTheCapacityOfTheRing) {
  WorldConfig config = counting_world();
  config.mode = Mode::kLockstep;
  config.epoch_config.ring_capacity = 3;
  auto world = make_world(std::move(config));
  for (const std::optional<Grid> grid : {std::optional<Grid>(), std::optional(Grid{2, 2})}) {
    ASSERT_TRUE(world->reset(grid));
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(world->step());
    EXPECT_EQ(world->health().ring_capacity, 3u);
    EXPECT_EQ(world->health().ring_length, 3u);
  }
}

// proves: MURK-OV-3, MURK-POOL-3
// proves part: MURK-POOL-2 (default and bounds; not the default of a world that is made from C)
TEST(WorldConfig, WorkersAreHalfTheProcessorsFrom2To16) {
  EXPECT_EQ(default_workers(1), 2u);
  EXPECT_EQ(default_workers(4), 2u);
  EXPECT_EQ(default_workers(8), 4u);
  EXPECT_EQ(default_workers(16), 8u);
  EXPECT_EQ(default_workers(32), 16u);
  EXPECT_EQ(default_workers(128), 16u);
  EXPECT_EQ(EpochConfig{}.workers(), default_workers(std::thread::hardware_concurrency()));
  EXPECT_EQ((EpochConfig{.worker_count = 1}.workers()), 2u);
  EXPECT_EQ((EpochConfig{.worker_count = 99}.workers()), 16u);
  for (const std::optional<std::uint32_t> asked : std::vector<std::optional<std::uint32_t>>{std::nullopt, 1, 99}) {
    WorldConfig config = counting_world();
    config.epoch_config.worker_count = asked;
    const std::uint32_t workers = config.epoch_config.workers();
    std::uint32_t started = 0;
    config.start_thread = [&started](const std::string& name, std::function<void()> body) {
      if (name.starts_with("murk-egress-")) ++started;
      return start_named_thread(name, std::move(body));
    };
    auto world = make_world(std::move(config));
    EXPECT_EQ(started, workers);
    EXPECT_EQ(world->health().workers, workers);
    EXPECT_EQ(world->health().egress_capacity, workers * 4);
  }
}

// proves: MURK-BACK-7, MURK-RING-1
// proves part: MURK-INT-3 (carries both; not that epoch_config is for RealtimeAsync only)
TEST(WorldConfig, CarriesEpochAndBackoffConfiguration) {
  EXPECT_TRUE(valid([](WorldConfig&) {}));
  EXPECT_FALSE(valid([](WorldConfig& c) { c.epoch_config.max_epoch_hold = 0ms; }));
  EXPECT_FALSE(valid([](WorldConfig& c) { c.epoch_config.cancel_grace = 0ms; }));
  EXPECT_FALSE(valid([](WorldConfig& c) { c.backoff_config.decay_interval = 0; }));
  WorldConfig config = counting_world();
  config.backoff_config.initial_max_skew = 4;
  config.epoch_config.ring_capacity = 5;
  auto world = make_world(std::move(config));
  EXPECT_EQ(world->health().max_skew, 4u);
  EXPECT_EQ(world->health().ring_capacity, 5u);
  ASSERT_TRUE(world->reset());
  EXPECT_EQ(world->health().max_skew, 4u) << "after a reset as well";
}

TEST(WorldConfig, FieldsAndPropagatorsMustFitTogether) {
  const Propagator again = counting_world().propagators[0];
  EXPECT_FALSE(valid([](WorldConfig& c) { c.fields.clear(); }));
  EXPECT_FALSE(valid([](WorldConfig& c) { c.grid.rows = 0; }));
  EXPECT_FALSE(valid([](WorldConfig& c) { c.fields[0].components = 0; }));
  EXPECT_FALSE(valid([](WorldConfig& c) { c.fields[0].initial = {1, 2, 3}; }));
  EXPECT_FALSE(valid([&](WorldConfig& c) { c.propagators.push_back(again); })) << "two writers of one field";
  EXPECT_FALSE(valid([](WorldConfig& c) { c.propagators[0].writes[0].field = 1; }));
  EXPECT_FALSE(valid([](WorldConfig& c) { c.propagators[0].reads = {7}; }));
  EXPECT_FALSE(valid([](WorldConfig& c) { c.propagators[0].step = nullptr; }));
  EXPECT_FALSE(valid([](WorldConfig& c) { c.fields[0].mutability = Mutability::kFixed; }));
  EXPECT_FALSE(valid([](WorldConfig& c) { c.tick_rate_hz = 0; }));
  EXPECT_TRUE(valid([](WorldConfig& c) { c.tick_rate_hz = 0.001; }));
  EXPECT_FALSE(valid([](WorldConfig& c) { c.tick_rate_hz = 1e-12; })) << "its period would not fit";
  EXPECT_FALSE(valid([](WorldConfig& c) { c.tick_rate_hz = std::nan(""); }));
  EXPECT_FALSE(valid([](WorldConfig& c) { c.epoch_config.max_epoch_hold = Duration::max(); }));
  EXPECT_FALSE(valid([](WorldConfig& c) { c.epoch_config.cancel_grace = Duration::max(); }));
  EXPECT_FALSE(valid([](WorldConfig& c) { c.ingress_capacity = 0; }));
}

}  // namespace
}  // namespace hyperscale::realtime
