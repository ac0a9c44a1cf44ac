// What one hand-over costs, alone and between threads.
#include "concurrent/bounded_queue.h"
#include "concurrent/fanout_ring.h"
#include "concurrent/mpsc_ring.h"
#include "concurrent/spsc_ring.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>

namespace hyperscale::concurrent {
namespace {

constexpr std::size_t kCapacity = 512;
using Item = std::uint64_t;

void queue_push_pop(benchmark::State& state) {
  BoundedQueue<Item> queue(kCapacity, Overflow::kReject);
  for (auto _ : state) {
    queue.try_push(Item{1});
    benchmark::DoNotOptimize(queue.try_pop());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(queue_push_pop);

// Each thread pushes and pops on the same queue: the cost of contention.
void queue_contended(benchmark::State& state) {
  static BoundedQueue<Item> queue(kCapacity, Overflow::kReject);
  for (auto _ : state) {
    queue.try_push(Item{1});
    benchmark::DoNotOptimize(queue.try_pop());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(queue_contended)->Threads(2)->Threads(4)->UseRealTime();

void queue_reject_when_full(benchmark::State& state) {
  BoundedQueue<Item> queue(1, Overflow::kReject);
  queue.try_push(Item{1});
  for (auto _ : state) benchmark::DoNotOptimize(queue.try_push(Item{2}));
}
BENCHMARK(queue_reject_when_full);

void queue_drop_oldest_when_full(benchmark::State& state) {
  BoundedQueue<Item> queue(1, Overflow::kDropOldest);
  for (auto _ : state) benchmark::DoNotOptimize(queue.try_push(Item{2}));
}
BENCHMARK(queue_drop_oldest_when_full);

template <typename Ring>
void ring_push_pop(benchmark::State& state) {
  auto ring = std::make_unique<Ring>(kCapacity);
  for (auto _ : state) {
    ring->try_push(Item{1});
    benchmark::DoNotOptimize(ring->try_pop());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(ring_push_pop<SpscRing<Item>>);
BENCHMARK(ring_push_pop<MpscRing<Item>>);

// The measured thread pops what another one pushes.
template <typename Ring>
void ring_across_threads(benchmark::State& state) {
  auto ring = std::make_unique<Ring>(kCapacity);
  std::jthread producer([&ring](std::stop_token stop) {
    while (!stop.stop_requested()) {
      if (!ring->try_push(Item{1})) std::this_thread::yield();
    }
  });
  for (auto _ : state) {
    while (!ring->try_pop()) std::this_thread::yield();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(ring_across_threads<SpscRing<Item>>)->UseRealTime();
BENCHMARK(ring_across_threads<MpscRing<Item>>)->UseRealTime();

void fanout_publish(benchmark::State& state) {
  FanoutRing<std::shared_ptr<const Item>> ring(kCapacity);
  const auto item = std::make_shared<const Item>(1);
  for (auto _ : state) ring.publish(item);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(fanout_publish);

void fanout_publish_and_receive(benchmark::State& state) {
  FanoutRing<std::shared_ptr<const Item>> ring(kCapacity);
  std::vector<FanoutRing<std::shared_ptr<const Item>>::Receiver> receivers;
  for (int i = 0; i < state.range(0); ++i) receivers.push_back(ring.subscribe());
  const auto item = std::make_shared<const Item>(1);
  std::optional<std::shared_ptr<const Item>> received;
  for (auto _ : state) {
    ring.publish(item);
    for (auto& receiver : receivers) benchmark::DoNotOptimize(receiver.try_recv(received));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(fanout_publish_and_receive)->Arg(1)->Arg(8);

}  // namespace
}  // namespace hyperscale::concurrent
