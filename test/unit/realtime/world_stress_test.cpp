// Whole worlds under more load than they can take. No claim about speed: every request is answered, memory stays
// bounded, nothing is torn.
#include "test_world.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::realtime {
namespace {

// A plan of one region: with two, the second would mostly find its generation evicted.
struct Load {
  explicit Load(World& observed) : world(observed), plan(*observed.compile({{.field = 0}})) {}

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

// Keeps so many readers at a time; the one that came first is let go first.
class Queue {
 public:
  explicit Queue(std::uint64_t places) : places_(places) {}

  static MomentHook hook(const std::shared_ptr<Queue>& queue) {
    return [queue](Moment moment) {
      if (moment == Moment::kRead) queue->pass();
    };
  }
  void let_one_go() {
    const std::lock_guard lock(mutex_);
    ++let_go_;
    changed_.notify_all();
  }
  void open() {
    const std::lock_guard lock(mutex_);
    places_ = 0;
    changed_.notify_all();
  }
  bool is_full() {
    const std::lock_guard lock(mutex_);
    return came_ - let_go_ == places_;
  }

 private:
  void pass() {
    std::unique_lock lock(mutex_);
    if (came_ - let_go_ >= places_) return;
    const std::uint64_t own = came_++;
    changed_.wait(lock, [&] { return own < let_go_ || places_ == 0; });
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t places_;
  std::uint64_t came_ = 0, let_go_ = 0;
};

// Four of five workers read at every tick, each for four ticks, so that there is no moment without a pin; the fifth
// serves as many as it can. A reclaimer that waits for a quiet moment never finds one.
// proves part: MURK-TEST-13 (generations while four of five workers read; not 80 % of the time of a tick)
TEST(WorldStress, TwiceTheObserversDoNotMakeMemoryGrow) {
  constexpr std::uint64_t kRing = 2, kWorkers = 5;
  const auto clock = std::make_shared<FakeClock>();
  const auto queue = std::make_shared<Queue>(kWorkers - 1);
  WorldConfig config = counting_world(clock);
  config.epoch_config.ring_capacity = kRing;
  config.epoch_config.worker_count = kWorkers;
  config.hook = Queue::hook(queue);
  auto world = make_world(std::move(config));
  wait_for_tick(*world, 1);
  Load load(*world);
  std::uint64_t quarantined_most = 0;
  const auto run = [&](int ticks) {
    for (int i = 0; i < ticks && !testing::Test::HasFailure(); ++i) {
      wait_until([&] { return queue->is_full(); });
      const std::uint64_t before = world->health().latest_tick;
      clock->advance(16'666'667ns);
      wait_for_tick(*world, before + 1);
      queue->let_one_go();
      const WorldHealth health = world->health();
      quarantined_most = std::max(quarantined_most, health.quarantined_generations);
      EXPECT_LE(health.quarantined_generations, kWorkers) << "one for each reader that may hold it";
      EXPECT_LE(health.live_generations, kRing + kWorkers);
    }
  };
  load.add(16);
  run(50);
  load.add(16);
  run(50);
  queue->open();
  load.end();
  EXPECT_GE(quarantined_most, 2u) << "otherwise the test does not bite";
  EXPECT_GT(load.served, 0);
  EXPECT_FALSE(load.torn);
  EXPECT_EQ(load.missing, 0);
  EXPECT_EQ(world->health().latest_tick, 101u);
  EXPECT_EQ(world->health().ring_eviction_events, 101u - kRing);
  wait_until([&] { return world->health().quarantined_generations == 0; });
  EXPECT_EQ(world->health().live_generations, kRing) << "reclamation has kept pace";
}

// proves: MURK-OV-3
// proves part: MURK-SAFE-15 (a world with a ring of 2 and yields at each step; not sleeps, stalls and shutdown)
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

// proves: MURK-TEST-14, MURK-RING-4, MURK-OV-3
// proves part: MURK-RING-5 (200 are told; not with the requested tick, nor to callers from C)
TEST(WorldStress, TwoHundredPlansAreInvalidatedByEviction) {
  constexpr int kPlans = 200, kWorkers = 10;
  const auto clock = std::make_shared<FakeClock>();
  const auto blocker = std::make_shared<Blocker>();
  WorldConfig config = counting_world(clock);
  config.epoch_config.ring_capacity = 2;
  config.epoch_config.worker_count = kWorkers;
  config.hook = Blocker::hook(blocker, Moment::kRegion);
  auto world = make_world(std::move(config));
  wait_for_tick(*world, 1);
  for (int round = 0; round < kPlans / kWorkers && !testing::Test::HasFailure(); ++round) {
    blocker->arm(kWorkers);
    std::vector<std::future<Observed>> answers;
    for (std::uint32_t i = 0; i < kWorkers; ++i) {
      const ObsPlan plan = *world->compile({{.field = 0, .region = Region::disk({i % 4, i / 4}, 1 + i % 2)}});
      answers.push_back(std::async(std::launch::async, [&world, plan] { return observe(*world, plan); }));
    }
    blocker->wait_until_held(kWorkers);
    for (int tick = 0; tick < 2; ++tick) {
      const std::uint64_t before = world->health().latest_tick;
      clock->advance(16'666'667ns);
      wait_for_tick(*world, before + 1);
    }
    blocker->release();
    for (auto& answer : answers) {
      ASSERT_TRUE(is_answered(answer));
      const Observed seen = answer.get();
      ASSERT_FALSE(seen.result);
      EXPECT_EQ(seen.result.error().kind, ObsErrorKind::kPlanInvalidated);
    }
  }
  EXPECT_EQ(world->health().ring_stale_read_events, kPlans);
  EXPECT_TRUE(observe(*world, *world->compile({{.field = 0}})).result) << "and then it goes on";
}

// proves: MURK-TEST-14
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
