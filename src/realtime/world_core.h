// WorldCore: the state that the threads of a world share. Each thread holds a reference, so that a hanging thread can
// still use it: nothing is freed while a thread may access it.
//
// The engine side (make_tick, look_after) belongs to the engine thread; in lockstep to the caller of step(), which acts
// as the engine until it returns. The rest is safe from any thread by the rules of the parts.
#pragma once

#include "realtime/observe/egress_pool.h"
#include "realtime/observe/observer.h"
#include "realtime/stall_watch.h"
#include "realtime/tick_board.h"
#include "realtime/tick_engine.h"
#include "realtime/work_threads.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace hyperscale::realtime {

class WorldCore : public std::enable_shared_from_this<WorldCore> {
 public:
  WorldCore(WorldConfig world_config, std::uint64_t generation);

  Status start();
  TickOutcome make_tick();
  // Lockstep: make_tick() on the caller's thread; kUnavailable once the engine was asked to stop.
  Result<TickOutcome> step();
  // Runs detection and reclamation without a tick. True if a reader is pinned.
  bool look_after();

  // Requests a tick now from the engine thread.
  void hurry();
  // Requests the engine thread to stop after its current tick; interrupts its sleep.
  void stop_engine();
  bool engine_stopped() const { return engine_stopped_.load(std::memory_order_acquire); }
  bool readers_unpinned() const;
  Ingress::Place place() const;

  const WorldConfig config;
  const std::uint64_t world_generation;
  std::vector<std::uint32_t> components;  // per field
  WorldMetrics metrics;
  CoarseClock clock;
  FieldStore store;
  Ingress ingress;
  PublishGate gate;
  TickBoard board;
  WorkThreads threads;
  Observer observer;
  EgressPool pool;
  std::mutex turn;        // lockstep: one tick or observation at a time
  std::mutex block_turn;  // one copy of the block at a time; the engine never waits for it

 private:
  void run_engine();
  Duration nap(bool readers_pinned, MonoTime next_tick) const;
  bool engine_waits(Duration at_most);
  bool take_hurry();

  TickEngine engine_;
  StallWatch watch_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  bool hurry_ = false;
  std::atomic<bool> engine_stopped_{true};
};

}  // namespace hyperscale::realtime
