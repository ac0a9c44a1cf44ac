// Whole worlds under more load than they can take. No claim about speed: every request is answered, memory stays
// bounded, nothing is torn.
#include "test_world.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::realtime {
namespace {

struct Load {
  explicit Load(World& observed) : world(observed), plan(*observed.compile({{.field = 0}, {.field = 0}})) {}

  void add(int observers) {
    for (int i = 0; i < observers; ++i) threads.emplace_back([this] { observe_until_stopped(); });
  }
  void observe_until_stopped() {
    while (!stop) {
      const Observed seen = observe(world, plan);
      if (seen.result) {
        ++served;
        const double first = seen.values[0];
        for (const double value : seen.values) torn = torn || value != first;
        torn = torn || first != static_cast<double>(seen.result->tick);
      } else if (seen.result.error().kind == ObsErrorKind::kNoSnapshot) {
        ++missing;
      } else {
        ++refused;
        std::this_thread::yield();
      }
    }
  }
  void end() {
    stop = true;
    for (auto& thread : threads) thread.join();
  }

  World& world;
  ObsPlan plan;
  std::atomic<bool> stop{false}, torn{false};
  std::atomic<int> served{0}, refused{0}, missing{0};
  std::vector<std::thread> threads;
};

// proves: MURK-TEST-13, MURK-MEM-1
TEST(WorldStress, TwiceTheObserversDoNotMakeMemoryGrow) {
  WorldConfig config = counting_world();
  config.tick_rate_hz = 1000;
  auto world = make_world(std::move(config));
  wait_for_tick(*world, 1);
  Load load(*world);
  std::uint64_t live_most = 0;
  const auto run_until = [&](std::uint64_t tick) {
    while (world->health().latest_tick < tick) {
      live_most = std::max(live_most, world->health().live_generations);
      std::this_thread::yield();
    }
  };
  load.add(16);
  run_until(100);
  load.add(16);
  run_until(300);
  load.end();
  EXPECT_GT(load.served, 0);
  EXPECT_FALSE(load.torn);
  EXPECT_EQ(load.missing, 0);
  EXPECT_LE(live_most, 8u + 4u);
  wait_until([&] { return world->health().quarantined_generations == 0; });
  EXPECT_LE(world->health().live_generations, 8u) << "reclamation has kept pace";
}

// proves: MURK-SAFE-15, MURK-OV-3
TEST(WorldStress, ARingOfTwoWithPreemptedReaders) {
  WorldConfig config = counting_world();
  config.tick_rate_hz = 4000;
  config.epoch_config.ring_capacity = 2;
  config.epoch_config.worker_count = 8;
  auto turn = std::make_shared<std::atomic<unsigned>>(0);
  config.hook = [turn](Moment /*moment*/) {
    if (turn->fetch_add(1) % 3 == 0) std::this_thread::yield();
  };
  auto world = make_world(std::move(config));
  wait_for_tick(*world, 1);
  Load load(*world);
  load.add(8);
  wait_until([&] { return world->health().latest_tick >= 500 && load.served > 50; });
  load.end();
  EXPECT_FALSE(load.torn);
  EXPECT_EQ(load.missing, 0) << "once a snapshot was published there always is one";
}

// proves: MURK-TEST-14, MURK-RING-4
TEST(WorldStress, TwoHundredPlansAreInvalidatedAndCompileAgain) {
  WorldConfig config = counting_world(std::make_shared<FakeClock>());
  config.grid = {100, 100};
  auto world = make_world(std::move(config));
  const auto compile_all = [&](std::uint32_t size) {
    std::vector<ObsPlan> plans;
    for (std::uint32_t i = 0; i < 200; ++i) {
      const Cell corner{i % (size - 10), i * 7 % (size - 10)};
      Region region = Region::all();
      if (i >= 66) region = Region::disk({corner.row + 5, corner.column + 5}, 5);
      if (i >= 133) region = Region::rectangle(corner, {corner.row + 9, corner.column + 9});
      plans.push_back(*world->compile({{.field = 0, .region = region}}));
    }
    return plans;
  };
  wait_for_tick(*world, 1);
  const std::vector<ObsPlan> old = compile_all(100);
  for (const ObsPlan& plan : old) ASSERT_TRUE(observe(*world, plan).result);
  ASSERT_TRUE(world->reset(Grid{50, 50}));
  wait_for_tick(*world, 1);
  for (const ObsPlan& plan : old) ASSERT_EQ(kind_of(observe(*world, plan)), ObsErrorKind::kPlanInvalidated);
  for (const ObsPlan& plan : compile_all(50)) ASSERT_TRUE(observe(*world, plan).result);
}

}  // namespace
}  // namespace hyperscale::realtime
