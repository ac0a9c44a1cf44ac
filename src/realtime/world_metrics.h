// WorldMetrics: counters and gauges of a world. Written by its threads, readable from any thread without stopping them.
#pragma once

#include <atomic>
#include <cstdint>

namespace hyperscale::realtime {

struct WorldMetrics {
  using Counter = std::atomic<std::uint64_t>;

  Counter queue_full_rejections{0};  // observations and commands
  Counter tick_disabled_rejections{0};
  Counter stale_rejections{0};
  Counter rollback_events{0};
  Counter tick_disabled_transitions{0};
  Counter worker_stall_events{0};
  Counter worker_replacements{0};
  Counter ring_not_available_events{0};
  Counter ring_eviction_events{0};
  Counter ring_stale_read_events{0};  // a plan found its generation evicted
  Counter ring_skew_retry_events{0};  // a reader had to repeat the selection
  Counter late_ticks{0};              // the engine fell behind its rate

  // Gauges, written by the engine thread.
  Counter live_generations{0};
  Counter quarantined_generations{0};
  Counter sparse_values_in_use{0};
  Counter oldest_pinned_epoch{~std::uint64_t{0}};
  Counter max_skew{0};
  Counter consecutive_rollbacks{0};
  Counter parameter_version{0};
  Counter last_tick_ns{0};
  Counter published_at_ns{0};
  Counter memory_bytes{0};  // of the segments of all generations, as allocated
  std::atomic<bool> tick_disabled{false};
};

}  // namespace hyperscale::realtime
