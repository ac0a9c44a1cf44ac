// RunWorld: the live state of a run. A world (src/realtime) that reads the tallies of all executors at every tick;
// observers never block it. The fast part of the run's moment is the world's block of words: no counter becomes a
// double, and an observation allocates nothing. It accepts no commands: the runner changes the load, at the tick that
// it observes.
//
// Thread rule: observe() from one thread; the rest from any. The world has its own threads.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "node/executors/tally_source.h"
#include "realtime/world.h"
#include "results/moment.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace hyperscale::node {

class TallyFold;

struct RunWorldSetup {
  std::uint32_t steps = 1;  // of all workflows
  double tick_rate_hz = 60;
};

// A step takes about 2 KB. With more steps than this the world ticks more slowly, to bound the cost of large runs.
inline constexpr std::uint32_t kRunStepsMax = 256;
inline constexpr double kRunTickRateMin = 2;

class RunWorld {
 public:
  static Result<std::unique_ptr<RunWorld>> make(const RunWorldSetup& setup);
  ~RunWorld();

  // Replaces the sources that the world reads.
  void read(std::vector<TallySource> sources);
  // Stores the newest moment, with its tick as the sequence; returns when it was read. Reusing `into` avoids
  // allocation after the first call. Fails before the first tick and leaves `into` unchanged.
  Result<MonoTime> observe(results::Moment& into);
  // Reads the tallies now: the next observation is of a tick not older than this call, within the duration of one
  // reading. Blocks for about that long.
  void refresh();
  // The newest tick; zero before the first.
  std::uint64_t tick() const;
  // True if that tick can be observed, or if the world has stopped ticking.
  bool has_reached(std::uint64_t tick) const;

 private:
  explicit RunWorld(const RunWorldSetup& setup);

  const std::uint32_t steps_;
  std::vector<std::uint64_t> words_;  // buffer of one observation
  std::shared_ptr<TallyFold> tallies_;
  std::unique_ptr<realtime::World> world_;
};

}  // namespace hyperscale::node
