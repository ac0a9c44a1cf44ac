// What one datagram of the cluster costs on its way out and in: a node with a thousand peers pays this some thousand
// times a second, and the simulator for every virtual packet.
#include "wire/cluster_codec.h"
#include "wire/replay_guard.h"
#include "wire/sealed_datagram.h"
#include "wire/seeded_entropy.h"
#include "wire/source_rate_limit.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

namespace hyperscale::wire {
namespace {

NodeIdentity node(std::uint8_t number) {
  return {.name = fmt::format("worker-{:04}", number),
          .role = NodeRole::kWorker,
          .datacenter = "ams1",
          .address = address_v4(10, 0, 0, number, 7100),
          .tcp_port = 7200};
}

// An ack with a coordinate, a state of 80 bytes and as many updates as asked for.
ClusterMessage ack(int updates) {
  ClusterMessage message;
  message.sender = node(1);
  message.incarnation = Incarnation(3);
  message.body = Ack{.sequence = 123456, .rtt_us = 250};
  message.coordinate =
      Coordinate{.position = {1, 2, 3, 4}, .height_ms = 1, .relative_error = 0.1F, .error_ms = 2, .sample_count = 50};
  message.embedded_state = SharedBytes::copy_of(std::string(80, 's'));
  for (int i = 0; i < updates; ++i) {
    message.gossip.push_back({.kind = UpdateKind::kAlive,
                              .subject = node(static_cast<std::uint8_t>(i)),
                              .incarnation = Incarnation(7),
                              .origin = address_v4(10, 0, 0, 9, 7100)});
  }
  return message;
}

DatagramSealer sealer() {
  return DatagramSealer(*Keyring::make("kT9#vLq2@xRw7!mZ"), {.cluster = "prod", .environment = "eu"});
}

void encode(benchmark::State& state) {
  const ClusterMessage message = ack(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(encode_cluster(message));
}
BENCHMARK(encode)->Arg(0)->Arg(15);

void decode(benchmark::State& state) {
  const std::vector<std::uint8_t> bytes = encode_cluster(ack(static_cast<int>(state.range(0))));
  for (auto _ : state) benchmark::DoNotOptimize(decode_cluster(bytes));
}
BENCHMARK(decode)->Arg(0)->Arg(15);

void size_bound(benchmark::State& state) {
  const ClusterMessage message = ack(15);
  for (auto _ : state) benchmark::DoNotOptimize(encoded_size_bound(message));
}
BENCHMARK(size_bound);

void seal(benchmark::State& state) {
  DatagramSealer sealing = sealer();
  SeededEntropy entropy(Prng(1));
  const std::vector<std::uint8_t> plain(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(sealing.seal(plain, SnowflakeId(1), entropy));
}
BENCHMARK(seal)->Arg(100)->Arg(kClusterMessageBytesMax);

void open(benchmark::State& state) {
  DatagramSealer sealing = sealer();
  SeededEntropy entropy(Prng(1));
  const std::vector<std::uint8_t> plain(static_cast<std::size_t>(state.range(0)));
  const SharedBytes packet = sealing.seal(plain, SnowflakeId(1), entropy);
  for (auto _ : state) benchmark::DoNotOptimize(sealing.open(packet.view()));
}
BENCHMARK(open)->Arg(100)->Arg(kClusterMessageBytesMax);

void replay_check(benchmark::State& state) {
  ReplayGuard guard;
  SnowflakeGenerator ids(1);
  WallTime now = WallTime::from_ns((kSnowflakeEpochUnixMs + 1'000'000) * 1'000'000);
  std::uint8_t source = 0;
  for (auto _ : state) {
    now += 10us;
    benchmark::DoNotOptimize(guard.check(address_v4(10, 0, 0, source++, 7100), *ids.next(now), now));
  }
}
BENCHMARK(replay_check);

void rate_limit(benchmark::State& state) {
  SourceRateLimit limit;
  MonoTime now;
  std::uint8_t source = 0;
  for (auto _ : state) {
    now += 10us;
    benchmark::DoNotOptimize(limit.admit(address_v4(10, 0, 0, source++, 7100), now));
  }
}
BENCHMARK(rate_limit);

}  // namespace
}  // namespace hyperscale::wire
