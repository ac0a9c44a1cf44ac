// World: a live state that ticks, and that any thread may observe and command without slowing it down.
//
//   auto world = World::make(std::move(config));                          // Result<std::unique_ptr<World>>
//   auto plan = (*world)->compile({{.field = kRate}});                    // Result<ObsPlan>
//   std::vector<double> values(plan->size());
//   std::vector<std::uint8_t> mask(plan->size());
//   auto meta = (*world)->observe(*plan, values, mask);                   // ObsResult: metadata or an error
//   (*world)->submit({.name = "rate", .value = 500, .basis_tick = meta->tick}, [](const Receipt& receipt) { ... });
//   ShutdownResult end = (*world)->shutdown();
//
// Thread rule: every member may be called from any thread, but shutdown(), reset() and the destructor never from a
// handler of the world. In lockstep step() and observe() take turns. Guarantees: every observation is answered within
// bounded time; every command gets exactly one receipt; shutdown() returns within ShutdownBudget::total().
#pragma once

#include "base/result.h"
#include "realtime/command.h"
#include "realtime/observe/obs_plan.h"
#include "realtime/observe/observation.h"
#include "realtime/shutdown_machine.h"
#include "realtime/tick_engine.h"
#include "realtime/world_config.h"
#include "realtime/world_health.h"

#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

namespace hyperscale::realtime {

class WorldCore;

class World {
 public:
  // Checks the configuration and starts the threads; fails with the reason if either is not possible.
  static Result<std::unique_ptr<World>> make(WorldConfig config);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // The callback is called exactly once; for a refusal before submit() returns.
  void submit(Command command, ReceiptCallback receipt);
  std::future<Receipt> submit(Command command);

  Result<ObsPlan> compile(const ObsSpec& spec) const;
  // The latest snapshot. The buffers need plan.size() elements.
  ObsResult observe(const ObsPlan& plan, std::span<double> values, std::span<std::uint8_t> mask);
  // The snapshot of one tick; waits for a future tick.
  ObsResult observe_tick(std::uint64_t tick, Duration timeout, const ObsPlan& plan, std::span<double> values,
                         std::span<std::uint8_t> mask);

  // The latest block of words (WorldConfig::block_words), copied on the calling thread. Allocates nothing, does not
  // wait for a tick and does not delay one; callers take turns. The coverage of the result is 1.
  ObsResult observe_block(std::span<std::uint64_t> words);

  // Real time: makes the next tick now instead of at its time, and waits for it. False: no tick within `timeout`. Later
  // ticks keep their distance to it.
  bool tick_now(Duration timeout);

  // Lockstep: makes one tick. A rollback is an outcome, not an error.
  Result<TickOutcome> step();

  // Restarts from the initial values, tick 0, ticking enabled. With another grid plans must be compiled again.
  Result<ShutdownResult> reset(std::optional<Grid> grid = std::nullopt);
  // Idempotent: later calls return the result of the first.
  ShutdownResult shutdown();

  WorldHealth health() const;
  std::uint32_t consecutive_rollbacks() const;

 private:
  explicit World(WorldConfig config);
  Status start();
  std::shared_ptr<WorldCore> core() const;
  ObsResult observe_on(WorldCore& core, std::optional<std::uint64_t> tick, const ObsPlan& plan,
                       std::span<double> values, std::span<std::uint8_t> mask);

  mutable std::mutex mutex_;  // guards the three members below
  WorldConfig config_;
  std::uint64_t world_generation_;  // unique among all layouts of all worlds in this process
  std::shared_ptr<WorldCore> core_;
  std::mutex end_;  // one shutdown or reset at a time
  std::optional<ShutdownResult> ended_;
};

}  // namespace hyperscale::realtime
