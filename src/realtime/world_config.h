// WorldConfig: the complete configuration of a world. validate() checks it and returns one readable message.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "realtime/adaptive_backoff.h"
#include "realtime/command.h"
#include "realtime/log_sink.h"
#include "realtime/observe/pinned_access.h"
#include "realtime/propagator.h"
#include "realtime/snapshot/coarse_clock.h"
#include "realtime/snapshot/field.h"
#include "realtime/work_threads.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace hyperscale::realtime {

inline constexpr std::size_t kRingCapacityLeast = 2;
inline constexpr std::size_t kRingCapacityMost = 64;
inline constexpr std::uint32_t kWorkersLeast = 2;  // one may stall while another serves
inline constexpr std::uint32_t kWorkersMost = 16;  // more only compete for memory bandwidth
inline constexpr std::uint32_t kQueuedPerWorker = 4;
inline constexpr std::uint32_t kRollbacksToDisable = 3;

struct EpochConfig {
  std::size_t ring_capacity = 8;
  Duration max_epoch_hold = 100ms;
  Duration cancel_grace = 10ms;
  std::optional<std::uint32_t> worker_count = std::nullopt;  // default: half of the processors; clamped to 2..16

  std::uint32_t workers() const;
};

// Default number of workers for a machine.
std::uint32_t default_workers(std::uint32_t processors);

enum class Mode : std::uint8_t {
  kRealtimeAsync,  // one thread ticks at tick_rate_hz, a pool of workers answers observations
  kLockstep,       // step() makes a tick on the calling thread; observations run there too
};

struct WorldConfig {
  Mode mode = Mode::kRealtimeAsync;
  Grid grid = {};
  std::vector<FieldDef> fields = {};
  // Size of a block of 64-bit words per tick, for counters that must not become doubles. A propagator writes it whole
  // (StepContext::write_block), World::observe_block() copies it whole, without allocating. Zero: no block.
  std::size_t block_words = 0;
  std::vector<Propagator> propagators = {};
  // Applies a command on the engine thread, before the propagators of its tick. A refusal reaches the sender in its
  // receipt. Put other effects into the receipt callback: the tick may still fail after this.
  std::function<Status(const Command&, StepContext&)> on_command = {};
  double tick_rate_hz = 60;
  std::size_t ingress_capacity = 1024;
  EpochConfig epoch_config = {};      // RealtimeAsync only, except ring_capacity
  BackoffConfig backoff_config = {};  // RealtimeAsync only
  std::uint64_t lockstep_skew = 0;    // Lockstep only: 0 or 1
  LogSink log = {};
  ClockFunction clock = monotonic_now;
  ThreadFactory start_thread = start_named_thread;
  MomentHook hook = {};  // for tests; see pinned_access.h

  Duration tick_period() const { return Duration(static_cast<std::int64_t>(1e9 / tick_rate_hz)); }
  // Readers that may pin for an observation: workers and one replacement for each.
  std::size_t readers() const { return mode == Mode::kLockstep ? 1 : std::size_t{epoch_config.workers()} * 2; }
  // Callers of observe_block() share one pin of their own.
  std::size_t block_readers() const { return block_words > 0 ? 1 : 0; }
};

Status validate(const WorldConfig& config);

}  // namespace hyperscale::realtime
