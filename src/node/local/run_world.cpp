#include "node/local/run_world.h"

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>

namespace hyperscale::node {
namespace {

constexpr std::size_t kMomentsKept = 4;
constexpr Duration kRefreshPatience = 100ms;
// Layout of the block: the time at which the tallies were read, then the fast moment.
constexpr std::size_t kTimeWords = 1;

double tick_rate_of(const RunWorldSetup& setup, std::uint32_t steps) {
  if (steps <= kRunStepsMax) return setup.tick_rate_hz;
  return std::max(kRunTickRateMin, setup.tick_rate_hz * kRunStepsMax / steps);
}

}  // namespace

// The sources that the world reads. read() from any thread, the rest on the engine's thread.
class RunWorld::Tallies {
 public:
  explicit Tallies(std::uint32_t steps) { moment_.steps.resize(steps); }

  void read(std::vector<TallySource> sources) {
    const std::lock_guard lock(mutex_);
    sources_ = std::move(sources);
  }

  Status fold(realtime::StepContext& step) {
    moment_.share = {};
    std::ranges::fill(moment_.steps, results::StepMoment());
    const MonoTime now = realtime::monotonic_now();
    {
      const std::lock_guard lock(mutex_);
      for (const TallySource& source : sources_) add(source);
    }
    const std::span<std::uint64_t> words = step.write_block();
    words.front() = static_cast<std::uint64_t>(now.ns());
    moment_.to_words(words.subspan(kTimeWords));
    return {};
  }

 private:
  void add(const TallySource& source) {
    for (std::uint32_t i = 0; i < source.steps && source.first_step + i < moment_.steps.size(); ++i)
      moment_.steps[source.first_step + i] += source.reader.step_reading(i);
    results::ShareMoment own = source.reader.executor_reading();
    if (!source.alive) own.users = 0;
    moment_.share += own;
  }

  results::FastMoment moment_;
  std::mutex mutex_;
  std::vector<TallySource> sources_;
};

RunWorld::RunWorld(const RunWorldSetup& setup)
    : steps_(std::max(setup.steps, 1U)),
      words_(kTimeWords + results::FastMoment::words_of(steps_)),
      tallies_(std::make_shared<Tallies>(steps_)) {}

RunWorld::~RunWorld() = default;

Result<std::unique_ptr<RunWorld>> RunWorld::make(const RunWorldSetup& setup) {
  std::unique_ptr<RunWorld> run(new RunWorld(setup));
  realtime::WorldConfig config;
  config.block_words = run->words_.size();
  config.tick_rate_hz = tick_rate_of(setup, run->steps_);
  config.propagators = {
      {.name = "tallies", .writes = {}, .step = [tallies = run->tallies_](realtime::StepContext& step) {
         return tallies->fold(step);
       }}};
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
  into.fast.from_words(std::span<const std::uint64_t>(words_).subspan(kTimeWords));
  return MonoTime::from_ns(static_cast<std::int64_t>(words_.front()));
}

}  // namespace hyperscale::node
