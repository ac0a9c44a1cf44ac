// One run of one scenario under one seed: builds the world, runs it, and returns the outcome.
//
// Any thread; each run has its own world. A pure function of scenario, seed and factory, except for `stop`, which ends
// it early.
#pragma once

#include "sim/engine/network.h"
#include "sim/engine/trace.h"
#include "sim/engine/world_observer.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/system.h"

#include <atomic>
#include <cstdint>
#include <optional>

namespace hyperscale::sim {

struct SimulationOptions {
  Trace::Sink trace = nullptr;
  const std::atomic<bool>* stop = nullptr;
};

struct SimulationOutcome {
  std::optional<Violation> violation;
  bool stopped = false;  // before the end of its time, without a violation
  std::uint64_t trace_hash = 0;
  std::uint64_t trace_entries = 0;
  std::uint64_t steps = 0;
  std::uint64_t faults = 0;
  Duration virtual_time{0};
  NetworkCounters network;

  bool passed() const { return !violation && !stopped; }
};

SimulationOutcome simulate(const Scenario& scenario, std::uint64_t seed, const SystemMaker& maker,
                           const SimulationOptions& options = {});

// Runs it twice and compares the traces: a difference is a violation.
SimulationOutcome simulate_twice(const Scenario& scenario, std::uint64_t seed, const SystemMaker& maker,
                                 const SimulationOptions& options = {});

// The world of a scenario before it runs: skewed clocks, installed versions, start times.
WorldSetup world_setup(const Scenario& scenario, std::uint64_t seed);
void prepare(World& world, const Scenario& scenario);

}  // namespace hyperscale::sim
