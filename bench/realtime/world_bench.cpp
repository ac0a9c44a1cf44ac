// Whole worlds of the reference profile: 100 x 100 cells, five fields, 400 KB a generation.
#include "base/check.h"
#include "realtime/snapshot/field_generation.h"
#include "realtime/world.h"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

namespace hyperscale::realtime {
namespace {

constexpr FieldId kFields = 5;

WorldConfig reference_profile(Mode mode) {
  WorldConfig config;
  config.mode = mode;
  config.grid = {100, 100};
  config.epoch_config.worker_count = 2;
  Propagator fill{.name = "fill", .writes = {}, .step = [](StepContext& context) -> Status {
                    for (FieldId field = 0; field < kFields; ++field) {
                      std::ranges::fill(context.write(field), static_cast<double>(context.tick()));
                    }
                    return {};
                  }};
  for (FieldId field = 0; field < kFields; ++field) {
    config.fields.push_back({.name = std::string(1, static_cast<char>('a' + field))});
    fill.writes.push_back({field, WriteMode::kFull});
  }
  config.propagators.push_back(std::move(fill));
  return config;
}

std::unique_ptr<World> make(WorldConfig config) {
  auto world = World::make(std::move(config));
  CHECK(world, "{}", world.error().to_string());
  return std::move(*world);
}

ObsPlan everything(const World& world) {
  ObsSpec spec;
  for (FieldId field = 0; field < kFields; ++field) spec.push_back({.field = field});
  return *world.compile(spec);
}

// Publication alone: push, advance, reclaim.
void publish(benchmark::State& state) {
  FieldStore store(8, 4);
  for (auto _ : state) {
    store.stage();
    benchmark::DoNotOptimize(store.publish());
  }
}
BENCHMARK(publish);

// A whole tick: 50,000 doubles written, published.
void tick(benchmark::State& state) {
  auto world = make(reference_profile(Mode::kLockstep));
  for (auto _ : state) benchmark::DoNotOptimize(world->step());
}
BENCHMARK(tick)->Unit(benchmark::kMicrosecond);

void observe_everything(benchmark::State& state) {
  auto world = make(reference_profile(Mode::kLockstep));
  (void)world->step();
  const ObsPlan plan = everything(*world);
  std::vector<double> values(plan.size());
  std::vector<std::uint8_t> mask(plan.size());
  for (auto _ : state) benchmark::DoNotOptimize(world->observe(plan, values, mask));
}
BENCHMARK(observe_everything)->Unit(benchmark::kMicrosecond);

// Through the pool, while the world ticks.
void observe_in_real_time(benchmark::State& state) {
  auto world = make(reference_profile(Mode::kRealtimeAsync));
  const ObsPlan plan = *world->compile({{.field = 0, .region = Region::disk({50, 50}, 5)}});
  std::vector<double> values(plan.size());
  std::vector<std::uint8_t> mask(plan.size());
  (void)world->observe_tick(1, 10s, plan, values, mask);
  for (auto _ : state) CHECK(world->observe(plan, values, mask), "an observation failed");
}
BENCHMARK(observe_in_real_time)->Unit(benchmark::kMicrosecond)->UseRealTime();

// A reader that holds the oldest snapshot for 1000 ticks keeps one generation, not a thousand.
void live_generations_with_a_stalled_reader(benchmark::State& state) {
  FieldStore store(8, 4);
  const CoarseClock clock;
  std::size_t live = 0;
  for (auto _ : state) {
    store.stage();
    store.publish();
    const auto held = PinnedFields::latest(store, store.workers()[0], clock);
    for (int i = 0; i < 1000; ++i) {
      store.stage();
      store.publish();
      live = std::max(live, store.live());
    }
  }
  state.counters["live_most"] = static_cast<double>(live);
}
BENCHMARK(live_generations_with_a_stalled_reader)->Unit(benchmark::kMicrosecond);

void shutdown(benchmark::State& state) {
  std::uint64_t slowest = 0;
  for (auto _ : state) {
    auto world = make(reference_profile(Mode::kRealtimeAsync));
    const MonoTime begin = monotonic_now();
    const ShutdownResult result = world->shutdown();
    state.SetIterationTime(static_cast<double>((monotonic_now() - begin).count()) / 1e9);
    CHECK(result.clean(), "a thread did not end");
    slowest = std::max(slowest,
                       std::accumulate(result.phase_times_ms.begin(), result.phase_times_ms.end(), std::uint64_t{0}));
  }
  state.counters["slowest_ms"] = static_cast<double>(slowest);
}
BENCHMARK(shutdown)->Unit(benchmark::kMicrosecond)->UseManualTime()->Iterations(50);

// With a reader that never comes back: drain, two holds of 100 ms, joins.
void shutdown_with_a_stuck_reader(benchmark::State& state) {
  for (auto _ : state) {
    struct Latch {
      std::mutex mutex;
      std::condition_variable changed;
      bool open = false, held = false;
    };
    const auto latch = std::make_shared<Latch>();
    WorldConfig config = reference_profile(Mode::kRealtimeAsync);
    config.hook = [latch](Moment moment) {
      if (moment != Moment::kRead) return;
      std::unique_lock lock(latch->mutex);
      latch->held = true;
      latch->changed.notify_all();
      latch->changed.wait(lock, [&] { return latch->open; });
    };
    auto world = make(std::move(config));
    const ObsPlan plan = *world->compile({{.field = 0}});
    auto stuck = std::async(std::launch::async, [&] {
      std::vector<double> values(plan.size());
      std::vector<std::uint8_t> mask(plan.size());
      return world->observe_tick(1, 10s, plan, values, mask).has_value();
    });
    {
      std::unique_lock lock(latch->mutex);
      latch->changed.wait(lock, [&] { return latch->held; });
    }
    const MonoTime begin = monotonic_now();
    const ShutdownResult result = world->shutdown();
    state.SetIterationTime(static_cast<double>((monotonic_now() - begin).count()) / 1e9);
    state.counters["stalled"] = result.stalled_workers;
    state.counters["leaked"] = result.leaked_threads;
    const std::lock_guard lock(latch->mutex);
    latch->open = true;
    latch->changed.notify_all();
  }
}
BENCHMARK(shutdown_with_a_stuck_reader)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(3);

}  // namespace
}  // namespace hyperscale::realtime
