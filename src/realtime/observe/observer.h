// Observer: executes one plan on one snapshot: selects, pins, executes, unpins, and returns the reason of a failure.
//
// The pin is a scope guard, so every way out unpins. A cancelled execution returns its cause: a stall if the detector
// cancelled this pin, a cancellation if the world is shutting down. Thread rule: run() on the thread that owns the
// record; any number of threads with a record each.
#pragma once

#include "realtime/observe/obs_plan.h"
#include "realtime/observe/observation.h"
#include "realtime/observe/pinned_access.h"
#include "realtime/snapshot/coarse_clock.h"
#include "realtime/snapshot/field_generation.h"
#include "realtime/world_metrics.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>

namespace hyperscale::realtime {

class Observer {
 public:
  Observer(const FieldStore& store, const CoarseClock& clock, const MomentHook& hook, WorldMetrics& metrics)
      : store_(store), clock_(clock), hook_(hook), metrics_(metrics) {}

  // exact_tick: nullopt for the latest.
  ObsResult run(WorkerRecord<>& record, const ObsPlan& plan, std::optional<std::uint64_t> exact_tick,
                std::span<double> values, std::span<std::uint8_t> mask) const;

  // Ends all current and future executions at their next region.
  void cancel_all() { stopping_.store(true, std::memory_order_release); }
  bool stopping() const { return stopping_.load(std::memory_order_acquire); }

 private:
  std::optional<PinnedFields> select(WorkerRecord<>& record, std::optional<std::uint64_t> exact_tick) const;
  ObsError error(ObsErrorKind kind, std::optional<std::uint64_t> exact_tick) const {
    return ObsError{kind, store_.current(), exact_tick, 0};
  }

  const FieldStore& store_;
  const CoarseClock& clock_;
  const MomentHook& hook_;
  WorldMetrics& metrics_;
  std::atomic<bool> stopping_{false};
};

}  // namespace hyperscale::realtime
