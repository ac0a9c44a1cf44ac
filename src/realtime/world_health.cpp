#include "realtime/world_health.h"

#include "realtime/world_core.h"

namespace hyperscale::realtime {

WorldHealth health_of(const WorldCore& core) {
  const WorldMetrics& metrics = core.metrics;
  WorldHealth health;
  health.latest_tick = core.store.current();
  health.has_snapshot = health.latest_tick > 0;
  health.tick_disabled = metrics.tick_disabled;
  health.engine_stopped = core.engine_stopped();
  if (health.has_snapshot) {
    health.snapshot_age =
        Duration(core.config.clock().ns() - static_cast<std::int64_t>(metrics.published_at_ns.load()));
  }
  health.last_tick_duration = Duration(static_cast<std::int64_t>(metrics.last_tick_ns.load()));
  health.consecutive_rollbacks = metrics.consecutive_rollbacks;
  health.max_skew = metrics.max_skew;
  health.parameter_version = metrics.parameter_version;
  health.world_generation = core.world_generation;
  health.ingress_depth = core.ingress.depth();
  health.ingress_capacity = core.ingress.capacity();
  health.egress_depth = core.pool.queue_depth();
  health.egress_capacity = core.pool.queue_capacity();
  health.workers = core.pool.workers();
  health.ring_length = core.store.in_ring();
  health.ring_capacity = core.store.ring().capacity();
  health.oldest_tick = health.has_snapshot ? health.latest_tick + 1 - core.store.in_ring() : 0;
  health.live_generations = metrics.live_generations;
  health.quarantined_generations = metrics.quarantined_generations;
  health.sparse_values_in_use = metrics.sparse_values_in_use;
  health.oldest_pinned_epoch = metrics.oldest_pinned_epoch;
  health.memory_bytes = metrics.memory_bytes;
  health.queue_full_rejections = metrics.queue_full_rejections;
  health.tick_disabled_rejections = metrics.tick_disabled_rejections;
  health.stale_rejections = metrics.stale_rejections;
  health.rollback_events = metrics.rollback_events;
  health.tick_disabled_transitions = metrics.tick_disabled_transitions;
  health.worker_stall_events = metrics.worker_stall_events;
  health.worker_replacements = metrics.worker_replacements;
  health.ring_not_available_events = metrics.ring_not_available_events;
  health.ring_eviction_events = metrics.ring_eviction_events;
  health.ring_stale_read_events = metrics.ring_stale_read_events;
  health.ring_skew_retry_events = metrics.ring_skew_retry_events;
  health.late_ticks = metrics.late_ticks;
  return health;
}

}  // namespace hyperscale::realtime
