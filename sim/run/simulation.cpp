#include "sim/run/simulation.h"

#include "sim/scenario/fault_player.h"

#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>

namespace hyperscale::sim {
namespace {

// How often a run checks whether it must stop.
constexpr Duration kSlice = 1s;
constexpr std::uint16_t kMinorVersions = 3;

void schedule(const std::vector<Expectation>& expectations, World& world, System& system, FaultPlayer& player) {
  for (const Expectation& expectation : expectations) {
    world.at(SimTime() + expectation.at, [&world, &system, &player, expectation] {
      const auto problem = system.unmet(expectation, player.hosts(expectation.targets));
      if (problem) world.report(expect_names()[static_cast<std::size_t>(expectation.kind)], *problem);
    });
  }
}

SimulationOutcome outcome_of(World& world, const FaultPlayer& player) {
  return {.violation = world.violation(),
          .stopped = false,
          .trace_hash = world.trace().hash(),
          .trace_entries = world.trace().entries(),
          .steps = world.steps(),
          .faults = player.applied(),
          .virtual_time = world.now() - SimTime(),
          .network = world.network().counters()};
}

}  // namespace

WorldSetup world_setup(const Scenario& scenario, std::uint64_t seed) {
  WorldSetup setup{.seed = seed, .network = scenario.network};
  NetworkLimits& limits = setup.network.limits;
  limits.receive_queue_bytes = static_cast<std::size_t>(
      scenario.settings.get("receive_queue", static_cast<std::int64_t>(limits.receive_queue_bytes)));
  setup.machines_refuse = scenario.settings.get("silent_machines", 0) == 0;
  return setup;
}

void prepare(World& world, const Scenario& scenario) {
  const Settings& settings = scenario.settings;
  const Duration start_spread = settings.get("start_spread_ms", 1'000) * 1ms;
  const Duration wall_skew = settings.get("wall_skew_ms", 50) * 1ms;
  const std::int64_t ppm = settings.get("clock_ppm", 100);
  for (HostId id = 0; id < world.size(); ++id) {
    Prng prng = world.stream("birth " + world.host(id).spec.name);
    world.set_clock_rate(id, static_cast<std::int32_t>(
                                 static_cast<std::int64_t>(prng.below(2 * static_cast<std::uint64_t>(ppm) + 1)) - ppm));
    world.jump_wall(id, prng.between(-wall_skew, wall_skew));
    const auto minor = static_cast<std::uint16_t>(prng.below(kMinorVersions));
    world.install(id, settings.get("mixed_versions", 0) != 0 ? minor : kMinorVersions - 1);
    world.after(prng.between(0s, start_spread), [&world, id] { world.start(id); });
  }
}

SimulationOutcome simulate(const Scenario& scenario, std::uint64_t seed, const SystemMaker& maker,
                           const SimulationOptions& options) {
  const std::unique_ptr<System> system = maker(scenario, seed);
  World world(world_setup(scenario, seed), hosts_of(scenario.topology), *system, *system);
  if (options.trace) world.trace().set_sink(options.trace);
  system->attach(world);
  prepare(world, scenario);
  FaultPlayer player(world, *system);
  player.schedule(scenario.faults);
  schedule(scenario.expectations, world, *system, player);

  const SimTime end = SimTime() + scenario.time;
  while (!world.violation() && world.now() < end) {
    if (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) {
      SimulationOutcome outcome = outcome_of(world, player);
      outcome.stopped = true;
      return outcome;
    }
    world.run_until(std::min(end, world.now() + kSlice));
  }
  return outcome_of(world, player);
}

SimulationOutcome simulate_twice(const Scenario& scenario, std::uint64_t seed, const SystemMaker& maker,
                                 const SimulationOptions& options) {
  SimulationOutcome first = simulate(scenario, seed, maker, options);
  if (first.stopped) return first;
  const SimulationOutcome second = simulate(scenario, seed, maker, {.stop = options.stop});
  if (second.stopped) {
    first.stopped = !first.violation;
    return first;
  }
  if (first.trace_hash != second.trace_hash) {
    const std::string what =
        fmt::format("two runs of one seed differ: {} and {} entries in their traces, hashes {:016x} and {:016x}",
                    first.trace_entries, second.trace_entries, first.trace_hash, second.trace_hash);
    first.violation = Violation{"determinism", what, SimTime() + std::min(first.virtual_time, second.virtual_time)};
  }
  first.steps += second.steps;
  first.virtual_time += second.virtual_time;
  return first;
}

}  // namespace hyperscale::sim
