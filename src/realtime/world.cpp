#include "realtime/world.h"

#include "realtime/shutdown.h"
#include "realtime/world_core.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace hyperscale::realtime {
namespace {

// How long a caller waits before it returns an error itself: each request queued before it may stall once. The detector
// is faster; this limit also holds if the engine thread hangs.
Duration patience(const WorldConfig& config) {
  const Duration once = config.epoch_config.max_epoch_hold + config.epoch_config.cancel_grace + config.tick_period();
  return once * (kQueuedPerWorker + 2);
}

ObsError error(const WorldCore& core, ObsErrorKind kind, std::optional<std::uint64_t> tick) {
  return ObsError{kind, core.store.current(), tick, 0};
}

// Identifies the layout that a plan was compiled for, across all worlds of the process.
std::uint64_t next_world_generation() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

World::World(WorldConfig config) : config_(std::move(config)), world_generation_(next_world_generation()) {}

Result<std::unique_ptr<World>> World::make(WorldConfig config) {
  if (auto valid = validate(config); !valid) return fail(std::move(valid.error()));
  std::unique_ptr<World> world(new World(std::move(config)));
  if (auto started = world->start(); !started) return fail(std::move(started.error()));
  return world;
}

World::~World() {
  shutdown();
}

Status World::start() {
  auto fresh = std::make_shared<WorldCore>(config_, world_generation_);
  {
    const std::lock_guard lock(mutex_);
    core_ = fresh;
  }
  return fresh->start();
}

std::shared_ptr<WorldCore> World::core() const {
  const std::lock_guard lock(mutex_);
  return core_;
}

void World::submit(Command command, ReceiptCallback receipt) {
  const auto core = this->core();
  const CommandOutcome outcome = core->ingress.submit(std::move(command), std::move(receipt), core->place());
  if (outcome == CommandOutcome::kQueueFull) ++core->metrics.queue_full_rejections;
  if (outcome == CommandOutcome::kTickDisabled) ++core->metrics.tick_disabled_rejections;
}

std::future<Receipt> World::submit(Command command) {
  auto promise = std::make_shared<std::promise<Receipt>>();
  auto future = promise->get_future();
  submit(std::move(command), [promise](const Receipt& receipt) { promise->set_value(receipt); });
  return future;
}

Result<ObsPlan> World::compile(const ObsSpec& spec) const {
  const auto core = this->core();
  return ObsPlan::compile(spec, core->config.grid, core->components, core->world_generation);
}

ObsResult World::observe(const ObsPlan& plan, std::span<double> values, std::span<std::uint8_t> mask) {
  return observe_on(*core(), std::nullopt, plan, values, mask);
}

ObsResult World::observe_tick(std::uint64_t tick, Duration timeout, const ObsPlan& plan, std::span<double> values,
                              std::span<std::uint8_t> mask) {
  const auto core = this->core();
  const MonoTime begin = core->config.clock();
  const bool can_come = core->config.mode == Mode::kRealtimeAsync;
  const TickBoard::Waited waited = core->board.wait_for(tick, can_come ? timeout : Duration(0));
  if (waited.there) return observe_on(*core, tick, plan, values, mask);
  ObsErrorKind kind = ObsErrorKind::kTimeoutWaitingForTick;
  if (waited.ticking == TickBoard::Ticking::kDisabled) kind = ObsErrorKind::kTickDisabled;
  if (waited.ticking == TickBoard::Ticking::kShutDown) kind = ObsErrorKind::kShuttingDown;
  ObsError answer = error(*core, kind, tick);
  answer.waited_ms = static_cast<std::uint64_t>((core->config.clock() - begin) / 1ms);
  return tl::unexpected(answer);
}

ObsResult World::observe_on(WorldCore& core, std::optional<std::uint64_t> tick, const ObsPlan& plan,
                            std::span<double> values, std::span<std::uint8_t> mask) {
  if (values.size() < plan.size() || mask.size() < plan.size()) {
    return tl::unexpected(error(core, ObsErrorKind::kBufferTooSmall, tick));
  }
  if (core.config.mode == Mode::kLockstep) {
    const std::lock_guard turn(core.turn);
    if (core.observer.stopping()) return tl::unexpected(error(core, ObsErrorKind::kShuttingDown, tick));
    core.clock.refresh(core.config.clock());
    return core.observer.run(core.store.workers().front(), plan, tick, values.first(plan.size()),
                             mask.first(plan.size()));
  }
  const auto request = std::make_shared<ObsRequest>(plan, tick);
  switch (core.pool.submit(request)) {
    case RequestQueue::Pushed::kFull:
      ++core.metrics.queue_full_rejections;
      return tl::unexpected(error(core, ObsErrorKind::kQueueFull, tick));
    case RequestQueue::Pushed::kClosed:
      return tl::unexpected(error(core, ObsErrorKind::kShuttingDown, tick));
    case RequestQueue::Pushed::kQueued:
      break;
  }
  ObsResult result = request->wait(patience(core.config), core.store.current());
  if (result) {
    std::ranges::copy(request->values(), values.begin());
    std::ranges::copy(request->mask(), mask.begin());
  }
  return result;
}

ObsResult World::observe_block(std::span<std::uint64_t> words) {
  const auto core = this->core();
  if (core->config.block_words == 0) return tl::unexpected(error(*core, ObsErrorKind::kNotAvailable, std::nullopt));
  if (words.size() < core->config.block_words) {
    return tl::unexpected(error(*core, ObsErrorKind::kBufferTooSmall, std::nullopt));
  }
  const std::lock_guard turn(core->block_turn);
  if (core->observer.stopping()) return tl::unexpected(error(*core, ObsErrorKind::kShuttingDown, std::nullopt));
  const auto pinned = PinnedFields::latest(core->store, core->store.workers()[core->config.readers()], core->clock);
  if (!pinned) return tl::unexpected(error(*core, ObsErrorKind::kNoSnapshot, std::nullopt));
  const FieldGeneration& seen = pinned->payload();
  std::ranges::copy(seen.block, words.begin());
  return ObsMeta{.tick = seen.tick,
                 .age_ticks = std::max(core->store.current(), seen.tick) - seen.tick,
                 .coverage = 1,
                 .world_generation = seen.world_generation,
                 .parameter_version = seen.parameter_version};
}

bool World::tick_now(Duration timeout) {
  const auto core = this->core();
  if (core->config.mode == Mode::kLockstep) return core->step().has_value();
  const std::uint64_t next = core->store.current() + 1;
  core->hurry();
  return core->board.wait_for(next, timeout).there;
}

Result<TickOutcome> World::step() {
  const auto core = this->core();
  if (core->config.mode != Mode::kLockstep) {
    return fail(ErrorCode::kInvalidArgument, "a world in real time ticks by itself");
  }
  return core->step();
}

Result<ShutdownResult> World::reset(std::optional<Grid> grid) {
  const std::lock_guard end(end_);
  if (ended_) return fail(ErrorCode::kUnavailable, "the world is shut down");
  WorldConfig next = config_;
  next.grid = grid.value_or(config_.grid);
  if (auto valid = validate(next); !valid) return fail(std::move(valid.error()));
  const ShutdownResult result = shut_down(*core(), Ingress::Gate::kReset);
  if (next.grid != config_.grid) world_generation_ = next_world_generation();
  config_ = std::move(next);
  if (auto started = start(); !started) return fail(std::move(started.error()));
  return result;
}

ShutdownResult World::shutdown() {
  const std::lock_guard end(end_);
  if (ended_) return *ended_;
  const auto core = this->core();
  ended_ = core ? shut_down(*core, Ingress::Gate::kShuttingDown) : ShutdownResult{};  // null: construction failed
  return *ended_;
}

WorldHealth World::health() const {
  return health_of(*core());
}

std::uint32_t World::consecutive_rollbacks() const {
  return static_cast<std::uint32_t>(core()->metrics.consecutive_rollbacks.load());
}

}  // namespace hyperscale::realtime
