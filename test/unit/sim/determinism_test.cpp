#include "sim/run/simulation.h"
#include "sim/scenario/swarm.h"
#include "toy_system.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::sim::test {
namespace {

SystemMaker toy_maker(ToyOptions options = {}) {
  return [options](const Scenario&, std::uint64_t) { return std::make_unique<ToySystem>(options); };
}

Scenario swarm(std::uint64_t seed) {
  Scenario scenario = swarm_scenario(seed, {.topology = {}, .time = 3min});
  scenario.expectations.clear();
  return scenario;
}

TEST(SimDeterminism, TheSameSeedGivesTheSameTrace) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto first = simulate(swarm(seed), seed, toy_maker());
    const auto second = simulate(swarm(seed), seed, toy_maker());
    EXPECT_EQ(first.trace_hash, second.trace_hash) << "seed " << seed;
    EXPECT_EQ(first.trace_entries, second.trace_entries);
    EXPECT_GT(first.trace_entries, 5'000);
    EXPECT_FALSE(simulate_twice(swarm(seed), seed, toy_maker()).violation.has_value());
  }
}

TEST(SimDeterminism, AnotherSeedGivesAnotherTrace) {
  const Scenario scenario = swarm(1);
  EXPECT_NE(simulate(scenario, 1, toy_maker()).trace_hash, simulate(scenario, 2, toy_maker()).trace_hash);
}

TEST(SimDeterminism, WritingTheTraceDownDoesNotChangeIt) {
  std::vector<std::string> lines;
  const auto sink = [&](SimTime, std::string_view line) { lines.emplace_back(line); };
  const auto told = simulate(swarm(4), 4, toy_maker(), {.trace = sink});
  EXPECT_EQ(told.trace_hash, simulate(swarm(4), 4, toy_maker()).trace_hash);
  EXPECT_GT(lines.size(), 17);
}

TEST(SimDeterminism, DetectsDependenceOnMemoryAddresses) {
  // Something stays allocated between the two runs, or the second would get the same addresses.
  std::vector<std::unique_ptr<std::vector<int>>> kept;
  const SystemMaker maker = [&kept](const Scenario&, std::uint64_t) {
    for (int i = 0; i < 64; ++i) kept.push_back(std::make_unique<std::vector<int>>(1 + i % 8));
    return std::make_unique<ToySystem>(ToyOptions{.draws_from_the_heap = true});
  };
  const auto outcome = simulate_twice(swarm(1), 1, maker);
  ASSERT_TRUE(outcome.violation.has_value());
  EXPECT_EQ(outcome.violation->checker, "determinism");
}

TEST(SimDeterminism, OrderOfMachinesChangesNothing) {
  const auto run = [](bool reversed) {
    std::vector<HostSpec> hosts = hosts_of(Topology());
    if (reversed) std::ranges::reverse(hosts);
    ToySystem system;
    World world({.seed = 9, .network = {}}, hosts, system, system);
    system.attach(world);
    prepare(world, Scenario());
    world.run_until(SimTime() + 30s);
    return world.trace().hash();
  };
  EXPECT_EQ(run(false), run(true));
}

TEST(SimDeterminism, RunningInSlicesChangesNothing) {
  const auto run = [](Duration slice) {
    ToyWorld toy(5, 3);
    while (toy.world.now() < SimTime() + 20s) toy.run(slice);
    return toy.world.trace().hash();
  };
  EXPECT_EQ(run(20s), run(10ms));
}

}  // namespace
}  // namespace hyperscale::sim::test
