#include "realtime/observe/observer.h"

#include <algorithm>

namespace hyperscale::realtime {
namespace {

class PinCancellation final : public Cancellation {
 public:
  PinCancellation(const WorkerRecord<>& record, const Observer& observer) : record_(record), observer_(observer) {}
  bool cancelled() const override { return record_.is_cancelled() || observer_.stopping(); }

 private:
  const WorkerRecord<>& record_;
  const Observer& observer_;
};

}  // namespace

std::optional<PinnedFields> Observer::select(WorkerRecord<>& record, std::optional<std::uint64_t> exact_tick) const {
  const auto pause = [this](Moment moment) {
    if (hook_) hook_(moment);
  };
  if (exact_tick) return PinnedFields::exactly(store_, record, clock_, *exact_tick, pause);
  std::uint64_t retries = 0;
  auto pinned = PinnedFields::latest(store_, record, clock_, pause, &retries);
  if (retries > 0) metrics_.ring_skew_retry_events += retries;
  return pinned;
}

ObsResult Observer::run(WorkerRecord<>& record, const ObsPlan& plan, std::optional<std::uint64_t> exact_tick,
                        std::span<double> values, std::span<std::uint8_t> mask) const {
  const auto pinned = select(record, exact_tick);
  if (!pinned) {
    if (!exact_tick) return tl::unexpected(error(ObsErrorKind::kNoSnapshot, exact_tick));
    ++metrics_.ring_not_available_events;
    const bool future = *exact_tick > store_.current();
    return tl::unexpected(
        error(future ? ObsErrorKind::kTimeoutWaitingForTick : ObsErrorKind::kNotAvailable, exact_tick));
  }
  const PinnedAccess snapshot(*pinned, hook_);
  const PinCancellation cancellation(record, *this);
  const auto executed = plan.execute(snapshot, cancellation, values, mask);
  if (hook_) hook_(Moment::kUnpinning);
  if (!executed) {
    if (record.is_cancelled()) return tl::unexpected(error(ObsErrorKind::kWorkerStalled, exact_tick));
    if (executed.error() == PlanFailure::kCancelled) {
      return tl::unexpected(error(ObsErrorKind::kWorkerCancelled, exact_tick));
    }
    ++metrics_.ring_stale_read_events;
    return tl::unexpected(error(ObsErrorKind::kPlanInvalidated, exact_tick));
  }
  // A snapshot is in the ring shortly before the epoch counter is advanced.
  const std::uint64_t newest = std::max(store_.current(), snapshot.tick());
  return ObsMeta{.tick = snapshot.tick(),
                 .age_ticks = newest - snapshot.tick(),
                 .coverage = plan.coverage(),
                 .world_generation = snapshot.world_generation(),
                 .parameter_version = snapshot.parameter_version()};
}

}  // namespace hyperscale::realtime
