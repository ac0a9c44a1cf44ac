// What it costs to enter and leave a read section, beside liburcu and Concurrency Kit.
//
// pin_unpin is the like of theirs. select_pin_validate_unpin is what an observation does: it also finds the newest
// snapshot and makes sure of it.
#include "pin_peers.h"
#include "realtime/snapshot/generation_store.h"
#include "realtime/snapshot/pinned_generation.h"

#include <cstdint>

#include <benchmark/benchmark.h>

namespace hyperscale::realtime {
namespace {

constexpr long kBatch = 4096;

void per_section(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * kBatch);
  state.counters["per_section"] = benchmark::Counter(static_cast<double>(state.iterations()) * kBatch,
                                                     benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void pin_unpin(benchmark::State& state) {
  WorkerRecord<> record;
  CoarseClock clock;
  clock.refresh(monotonic_now());
  for (auto _ : state) {
    for (long i = 0; i < kBatch; ++i) {
      record.pin(1, clock.now_ns());
      benchmark::ClobberMemory();
      record.unpin(clock.now_ns());
    }
  }
  per_section(state);
}
BENCHMARK(pin_unpin);

struct Nothing {
  void reset() {}
};

void select_pin_validate_unpin(benchmark::State& state) {
  GenerationStore<Nothing> store(8, 1);
  const CoarseClock clock;
  for (int i = 0; i < 20; ++i) {
    store.stage();
    store.publish();
  }
  for (auto _ : state) {
    for (long i = 0; i < kBatch; ++i) {
      const auto pinned = PinnedGeneration<Nothing>::latest(store, store.workers()[0], clock);
      benchmark::DoNotOptimize(pinned->epoch());
    }
  }
  per_section(state);
}
BENCHMARK(select_pin_validate_unpin);

void ck_epoch(benchmark::State& state) {
  for (auto _ : state) ck_epoch_sections(kBatch);
  per_section(state);
}
BENCHMARK(ck_epoch);

void urcu_memb(benchmark::State& state) {
  for (auto _ : state) urcu_memb_sections(kBatch);
  per_section(state);
}
BENCHMARK(urcu_memb);

}  // namespace
}  // namespace hyperscale::realtime
