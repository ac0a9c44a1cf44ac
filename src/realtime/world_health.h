// WorldHealth: the state of a world as plain values, read without stopping its threads. Values may be from different
// moments.
#pragma once

#include "base/time.h"

#include <cstddef>
#include <cstdint>

namespace hyperscale::realtime {

struct WorldHealth {
  bool has_snapshot = false;
  bool tick_disabled = false;
  bool engine_stopped = false;
  std::uint64_t latest_tick = 0;
  Duration snapshot_age = Duration(0);
  Duration last_tick_duration = Duration(0);
  std::uint64_t consecutive_rollbacks = 0;
  std::uint64_t max_skew = 0;
  std::uint64_t parameter_version = 0;
  std::uint64_t world_generation = 0;

  std::size_t ingress_depth = 0;
  std::size_t ingress_capacity = 0;
  std::size_t egress_depth = 0;
  std::size_t egress_capacity = 0;
  std::size_t workers = 0;

  std::size_t ring_length = 0;
  std::size_t ring_capacity = 0;
  std::uint64_t oldest_tick = 0;  // in the ring; 0: none
  std::uint64_t live_generations = 0;
  std::uint64_t quarantined_generations = 0;
  std::uint64_t sparse_values_in_use = 0;  // in all sparse fields: current values and older ones still visible
  std::uint64_t oldest_pinned_epoch = ~std::uint64_t{0};  // all ones: none
  std::size_t memory_bytes = 0;                           // of all generations, used or not

  std::uint64_t queue_full_rejections = 0;
  std::uint64_t tick_disabled_rejections = 0;
  std::uint64_t stale_rejections = 0;
  std::uint64_t rollback_events = 0;
  std::uint64_t tick_disabled_transitions = 0;
  std::uint64_t worker_stall_events = 0;
  std::uint64_t worker_replacements = 0;
  std::uint64_t ring_not_available_events = 0;
  std::uint64_t ring_eviction_events = 0;
  std::uint64_t ring_stale_read_events = 0;
  std::uint64_t ring_skew_retry_events = 0;
  std::uint64_t late_ticks = 0;
};

class WorldCore;
WorldHealth health_of(const WorldCore& core);

}  // namespace hyperscale::realtime
