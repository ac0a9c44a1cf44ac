// What a latency histogram costs: recording is on the path of every request, the rest on that of every report.
#include "base/histogram/display_histogram.h"
#include "base/histogram/histogram.h"
#include "base/histogram/histogram_codec.h"
#include "base/prng.h"

#include <array>
#include <cmath>

#include <benchmark/benchmark.h>

namespace hyperscale {
namespace {

// Latencies as a healthy service shows them: most near 2 ms, a tail up to a second.
std::array<Duration, 4096> latencies() {
  Prng prng(1);
  std::array<Duration, 4096> values;
  for (Duration& value : values)
    value = Duration(static_cast<std::int64_t>(2e6 / std::sqrt(1.0 - prng.unit() * 0.99999)));
  return values;
}

LatencyHistogram filled() {
  LatencyHistogram histogram;
  for (const Duration value : latencies()) histogram.record(value);
  return histogram;
}

void record(benchmark::State& state) {
  const auto values = latencies();
  LatencyHistogram histogram;
  std::size_t i = 0;
  for (auto _ : state) histogram.record(values[i++ % values.size()]);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(record);

void merge(benchmark::State& state) {
  const LatencyHistogram source = filled();
  LatencyHistogram target;
  for (auto _ : state) benchmark::DoNotOptimize(target.merge(source));
}
BENCHMARK(merge);

void percentile(benchmark::State& state) {
  const LatencyHistogram histogram = filled();
  for (auto _ : state) benchmark::DoNotOptimize(histogram.value_at_percentile(99.0));
}
BENCHMARK(percentile);

void encode(benchmark::State& state) {
  const LatencyHistogram histogram = filled();
  std::size_t size_bytes = 0;
  for (auto _ : state) size_bytes = HistogramCodec::encode(histogram).size();
  state.counters["bytes"] = static_cast<double>(size_bytes);
}
BENCHMARK(encode);

void decode(benchmark::State& state) {
  const auto bytes = HistogramCodec::encode(filled());
  for (auto _ : state) benchmark::DoNotOptimize(HistogramCodec::decode(bytes));
}
BENCHMARK(decode);

void display(benchmark::State& state) {
  const LatencyHistogram histogram = filled();
  for (auto _ : state) benchmark::DoNotOptimize(DisplayHistogram(histogram));
}
BENCHMARK(display);

}  // namespace
}  // namespace hyperscale
