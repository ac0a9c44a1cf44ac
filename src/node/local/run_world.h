// RunWorld: the live state of a run. A world (src/realtime) that reads the tallies of all executors sixty times a
// second and lets anyone observe them without ever holding it up: the screen, lines of JSON, the event feed, metrics.
// What people ask of the run comes in as commands with the tick that they had seen.
//
// Thread rule: any thread; the world has its own.
#pragma once

#include "base/result.h"
#include "live/run_moment.h"
#include "node/executors/tally_source.h"
#include "plan/load_command.h"
#include "realtime/world.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::node {

struct RunWorldSetup {
  std::uint32_t steps = 1;      // of all workflows
  std::uint32_t executors = 1;  // of all workflows
  double tick_rate_hz = 60;
};

// A cell is a step of an executor and holds about 4 KB. Beyond this many, executors are told together, and beyond that
// the world ticks more slowly, so that looking at a large run costs no more than looking at a small one.
inline constexpr std::uint32_t kRunCellsMax = 256;
inline constexpr double kRunTickRateMin = 2;

class RunWorld {
 public:
  static Result<std::unique_ptr<RunWorld>> make(const RunWorldSetup& setup);
  ~RunWorld();

  // What is read from now on.
  void read(std::vector<TallySource> sources);
  // The newest moment.
  Result<live::RunMoment> observe();
  // One receipt each, on any thread; a command whose basis lies too far back is stale.
  void submit(const plan::LoadRequest& request, realtime::ReceiptCallback receipt);
  // Calls back on any thread when a tick that began after this call can be observed, or at once when there will be
  // none.
  void after_a_tick(std::function<void()> done);
  realtime::WorldHealth health() const { return world_->health(); }

 private:
  class Tallies;
  explicit RunWorld(const RunWorldSetup& setup);

  const std::uint32_t steps_;
  const std::uint32_t columns_;  // one per executor, or one for all
  std::shared_ptr<Tallies> tallies_;
  std::unique_ptr<realtime::World> world_;
  std::optional<realtime::ObsPlan> plan_;
};

}  // namespace hyperscale::node
