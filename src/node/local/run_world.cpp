#include "node/local/run_world.h"

#include "node/executors/tally_fold.h"

#include <algorithm>
#include <utility>

namespace hyperscale::node {
namespace {

constexpr std::size_t kMomentsKept = 4;
constexpr Duration kRefreshPatience = 100ms;

double tick_rate_of(const RunWorldSetup& setup, std::uint32_t steps) {
  if (steps <= kRunStepsMax) return setup.tick_rate_hz;
  return std::max(kRunTickRateMin, setup.tick_rate_hz * kRunStepsMax / steps);
}

}  // namespace

RunWorld::RunWorld(const RunWorldSetup& setup)
    : steps_(std::max(setup.steps, 1U)),
      words_(TallyFold::words_of(steps_)),
      tallies_(std::make_shared<TallyFold>(steps_)) {}

RunWorld::~RunWorld() = default;

Result<std::unique_ptr<RunWorld>> RunWorld::make(const RunWorldSetup& setup) {
  std::unique_ptr<RunWorld> run(new RunWorld(setup));
  realtime::WorldConfig config;
  config.block_words = run->words_.size();
  config.tick_rate_hz = tick_rate_of(setup, run->steps_);
  config.propagators = {propagator_of(run->tallies_)};
  config.epoch_config.ring_capacity = kMomentsKept;
  config.epoch_config.worker_count = realtime::kWorkersLeast;
  auto world = realtime::World::make(std::move(config));
  if (!world) return fail(world.error());
  run->world_ = std::move(*world);
  return run;
}

void RunWorld::read(std::vector<TallySource> sources) {
  tallies_->read(std::move(sources));
}

void RunWorld::refresh() {
  (void)world_->tick_now(kRefreshPatience);
}

std::uint64_t RunWorld::tick() const {
  return world_->health().latest_tick;
}

bool RunWorld::has_reached(std::uint64_t tick) const {
  const realtime::WorldHealth health = world_->health();
  return health.latest_tick >= tick || health.tick_disabled || health.engine_stopped;
}

Result<MonoTime> RunWorld::observe(results::Moment& into) {
  const realtime::ObsResult seen = world_->observe_block(words_);
  if (!seen) return fail(seen.error().as_error());
  into.sequence = seen->tick;
  into.fast.steps.resize(steps_);
  return TallyFold::moment_in(words_, into.fast);
}

}  // namespace hyperscale::node
