// RunWorld: the live state of a run. A world (src/realtime) that reads the tallies of all executors sixty times a
// second and lets anyone observe them without ever holding it up. The fast part of the run's moment is the world's
// block of words: no counter becomes a double, and an observation allocates nothing. It takes no commands: changes of
// the load are carried out by the runner, at the tick that it sees.
//
// Thread rule: observe() from one thread; the rest from any. The world has its own.
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

struct RunWorldSetup {
  std::uint32_t steps = 1;  // of all workflows
  double tick_rate_hz = 60;
};

// A step holds about 2 KB. Beyond this many the world ticks more slowly, so that looking at a large run costs no more
// than looking at a small one.
inline constexpr std::uint32_t kRunStepsMax = 256;
inline constexpr double kRunTickRateMin = 2;

class RunWorld {
 public:
  static Result<std::unique_ptr<RunWorld>> make(const RunWorldSetup& setup);
  ~RunWorld();

  // What is read from now on.
  void read(std::vector<TallySource> sources);
  // The newest moment, its tick as the sequence, and when it was read. `into` is used again and again: after the first
  // time nothing is allocated. Fails before the first tick and leaves `into` as it is.
  Result<MonoTime> observe(results::Moment& into);
  // Has the tallies read now: the next observation is of a tick that is not older than this call, give or take the
  // time that a reading takes. Blocks for about that long.
  void refresh();
  // The newest tick; zero before the first.
  std::uint64_t tick() const;
  // Whether that tick can be observed, or no tick will ever come again.
  bool has_reached(std::uint64_t tick) const;

 private:
  class Tallies;
  explicit RunWorld(const RunWorldSetup& setup);

  const std::uint32_t steps_;
  std::vector<std::uint64_t> words_;  // of one observation
  std::shared_ptr<Tallies> tallies_;
  std::unique_ptr<realtime::World> world_;
};

}  // namespace hyperscale::node
