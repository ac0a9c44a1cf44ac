#include "sim/engine/network.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::sim {
namespace {

constexpr std::size_t kSent = 2'000;

Network make_network(NetworkSetup setup = {
                         .within_site = {.latency = 1ms}, .between_sites = {.latency = 10ms}, .limits = {}}) {
  return Network(setup, Prng(5), {"a", "b", "c"}, {0, 0, 1});
}

// Arrivals of kSent packets from 0 to 1.
std::vector<Delivery> arrivals(Network& network, HostId from = 0, HostId to = 1) {
  std::vector<Delivery> all;
  for (std::size_t i = 0; i < kSent; ++i) {
    const auto& some = network.route(SimTime() + 1ms * i, from, to, 100);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

Disturbance everywhere(LinkConditions extra) {
  return {.from = {}, .to = {}, .blocked = false, .extra = extra};
}

TEST(SimNetwork, SitesAreFartherApartThanMachinesOfOne) {
  Network network = make_network();
  EXPECT_EQ(network.route(SimTime(), 0, 1, 10).front().at, SimTime() + 1ms);
  const SimTime far = network.route(SimTime(), 0, 2, 10).front().at;
  EXPECT_GE(far, SimTime() + 10ms);
  EXPECT_EQ(network.route(SimTime(), 2, 0, 10).front().at, far) << "the way back is as long";
}

TEST(SimNetwork, LossDuplicationAndCorruptionComeInTheirShares) {
  Network network = make_network();
  const DisturbanceId loss = network.add(everywhere({.loss = 0.25}));
  EXPECT_NEAR(static_cast<double>(arrivals(network).size()), kSent * 0.75, kSent * 0.05);
  network.remove(loss);
  const DisturbanceId copies = network.add(everywhere({.duplicate = 0.5}));
  EXPECT_NEAR(static_cast<double>(arrivals(network).size()), kSent * 1.5, kSent * 0.05);
  network.remove(copies);
  network.add(everywhere({.corrupt = 0.1}));
  std::size_t flipped = 0;
  for (const Delivery& each : arrivals(network)) flipped += each.flip != 0 ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(flipped), kSent * 0.1, kSent * 0.03);
}

TEST(SimNetwork, ReorderedPacketsAreOvertaken) {
  Network network = make_network();
  std::size_t overtaken = 0;
  const auto count = [&] {
    const auto all = arrivals(network);
    overtaken = 0;
    for (std::size_t i = 1; i < all.size(); ++i) overtaken += all[i].at < all[i - 1].at ? 1 : 0;
  };
  count();
  EXPECT_EQ(overtaken, 0);
  network.add(everywhere({.reorder = 0.2}));
  count();
  EXPECT_GT(overtaken, kSent / 20);
}

TEST(SimNetwork, DelayAddsToTheWay) {
  Network network = make_network();
  network.add(everywhere({.latency = 300ms}));
  EXPECT_EQ(network.route(SimTime(), 0, 1, 10).front().at, SimTime() + 301ms);
}

TEST(SimNetwork, AOneWayPartitionStopsOneDirectionOnly) {
  Network network = make_network();
  const DisturbanceId cut = network.add({.from = HostSet({0}, 3), .to = HostSet({1}, 3), .blocked = true, .extra = {}});
  EXPECT_TRUE(network.route(SimTime(), 0, 1, 10).empty());
  EXPECT_EQ(network.route(SimTime(), 1, 0, 10).size(), 1);
  EXPECT_EQ(network.route(SimTime(), 0, 2, 10).size(), 1);
  network.remove(cut);
  EXPECT_EQ(network.route(SimTime(), 0, 1, 10).size(), 1);
  EXPECT_EQ(network.counters().blocked, 1);
}

TEST(SimNetwork, ADatagramBeyondTheMtuIsNotSent) {
  Network network = make_network();
  EXPECT_EQ(network.route(SimTime(), 0, 1, network.limits().mtu_bytes).size(), 1);
  EXPECT_TRUE(network.route(SimTime(), 0, 1, network.limits().mtu_bytes + 1).empty());
  EXPECT_EQ(network.counters().oversized, 1);
}

TEST(SimNetwork, ASlowInterfaceQueuesAndThenDrops) {
  NetworkSetup setup{.within_site = {.latency = 1ms}, .between_sites = {}, .limits = {.egress_queue_bytes = 3'000}};
  Network network = make_network(setup);
  network.limit_egress(0, 1'000);
  EXPECT_EQ(network.route(SimTime(), 0, 1, 1'000).front().at, SimTime() + 1s + 1ms);
  EXPECT_EQ(network.route(SimTime(), 0, 1, 1'000).front().at, SimTime() + 2s + 1ms);
  std::size_t accepted = 2;
  for (int i = 0; i < 10; ++i) accepted += network.route(SimTime(), 0, 1, 1'000).size();
  EXPECT_EQ(accepted, 4) << "three seconds of queue, and the one that was begun";
  EXPECT_EQ(network.counters().congested, 8);
  EXPECT_EQ(network.route(SimTime(), 1, 0, 1'000).front().at, SimTime() + 1ms) << "the other one is as quick as ever";
}

TEST(SimNetwork, TrafficOfOneMachineDoesNotAffectOthers) {
  const NetworkSetup setup{
      .within_site = {.latency = 1ms, .jitter = 5ms, .loss = 0.1}, .between_sites = {}, .limits = {}};
  Network alone = make_network(setup);
  Network busy = make_network(setup);
  for (int i = 0; i < 100; ++i) {
    busy.route(SimTime(), 1, 0, 10);
    const auto expected = alone.route(SimTime(), 0, 1, 10);
    const auto& got = busy.route(SimTime(), 0, 1, 10);
    ASSERT_EQ(got.size(), expected.size());
    if (!got.empty()) {
      EXPECT_EQ(got.front().at, expected.front().at);
    }
  }
}

}  // namespace
}  // namespace hyperscale::sim
