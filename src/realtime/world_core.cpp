#include "realtime/world_core.h"

#include <algorithm>
#include <utility>

namespace hyperscale::realtime {
namespace {

// Maximum time between detection runs: shorter while a reader is pinned.
constexpr Duration kNapWhilePinned = 4ms;
constexpr Duration kNapIdle = 10ms;

}  // namespace

WorldCore::WorldCore(WorldConfig world_config, std::uint64_t generation)
    : config(std::move(world_config)),
      world_generation(generation),
      store(config.epoch_config.ring_capacity, config.readers() + config.block_readers()),
      ingress(config.ingress_capacity),
      threads(config.start_thread),
      observer(store, clock, config.hook, metrics),
      pool(config, store, clock, observer, threads, metrics),
      engine_(config, generation, store, ingress, gate, metrics),
      watch_(config, store, pool, metrics) {
  for (const FieldDef& field : config.fields) components.push_back(field.components);
  clock.refresh(config.clock());
}

Status WorldCore::start() {
  if (config.mode == Mode::kLockstep) return {};
  if (auto started = pool.start(shared_from_this()); !started) return started;
  engine_stopped_.store(false, std::memory_order_release);
  auto started = threads.start("murk-engine", shared_from_this(), [this] { run_engine(); });
  if (!started) engine_stopped_.store(true, std::memory_order_release);
  return started;
}

TickOutcome WorldCore::make_tick() {
  const MonoTime start = config.clock();
  look_after();
  const TickOutcome outcome = engine_.tick();
  if (outcome.kind == TickOutcome::Kind::kPublished) board.published(outcome.tick);
  if (engine_.disabled()) board.stop(TickBoard::Ticking::kDisabled);
  metrics.last_tick_ns.store(static_cast<std::uint64_t>((config.clock() - start).count()));
  return outcome;
}

Result<TickOutcome> WorldCore::step() {
  const std::lock_guard lock(turn);
  {
    const std::lock_guard stopping(mutex_);
    if (stop_) return fail(ErrorCode::kUnavailable, "the world is shut down");
    engine_stopped_.store(false, std::memory_order_release);
  }
  struct Stopped {
    WorldCore& core;
    ~Stopped() {
      core.engine_stopped_.store(true, std::memory_order_release);
      core.threads.progress();
    }
  } const stopped{*this};
  return make_tick();
}

bool WorldCore::look_after() {
  const MonoTime now = config.clock();
  clock.refresh(now);
  const bool pinned = watch_.look(now, shared_from_this());
  engine_.reclaim();
  return pinned;
}

void WorldCore::run_engine() {
  MonoTime next = config.clock();
  while (!engine_waits(0ns)) {
    if (take_hurry()) next = config.clock();
    if (engine_.disabled() || config.clock() < next) {
      const bool pinned = look_after();
      if (engine_waits(nap(pinned, next))) break;
      continue;
    }
    make_tick();
    next += config.tick_period();
    if (const MonoTime now = config.clock(); next < now) {
      ++metrics.late_ticks;
      next = now;
    }
  }
  engine_stopped_.store(true, std::memory_order_release);
  threads.progress();
}

Duration WorldCore::nap(bool readers_pinned, MonoTime next_tick) const {
  const Duration longest = readers_pinned ? kNapWhilePinned : kNapIdle;
  return engine_.disabled() ? longest : std::clamp(next_tick - config.clock(), Duration(0), longest);
}

// True if the engine must stop.
bool WorldCore::engine_waits(Duration at_most) {
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, at_most, [this] { return stop_ || hurry_; });
  return stop_;
}

void WorldCore::hurry() {
  const std::lock_guard lock(mutex_);
  hurry_ = true;
  wake_.notify_all();
}

bool WorldCore::take_hurry() {
  const std::lock_guard lock(mutex_);
  return std::exchange(hurry_, false);
}

void WorldCore::stop_engine() {
  const std::lock_guard lock(mutex_);
  stop_ = true;
  wake_.notify_all();
}

bool WorldCore::readers_unpinned() const {
  return std::ranges::none_of(store.workers(), [](const WorkerRecord<>& record) { return record.is_pinned(); });
}

Ingress::Place WorldCore::place() const {
  return {store.current(), metrics.parameter_version.load()};
}

}  // namespace hyperscale::realtime
