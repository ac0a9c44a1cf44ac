#include "realtime/stall_watch.h"

#include "realtime/snapshot/pinned_words.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::realtime {

StallWatch::StallWatch(const WorldConfig& config, FieldStore& store, EgressPool& pool, WorldMetrics& metrics)
    : config_(config),
      store_(store),
      pool_(pool),
      metrics_(metrics),
      judge_(config.readers(), config.epoch_config.max_epoch_hold, config.epoch_config.cancel_grace),
      pinned_(config.readers(), kEpochUnpinned),
      overridden_(config.readers(), false) {}

bool StallWatch::look(MonoTime now, const std::shared_ptr<void>& keep_alive) {
  bool any = false;
  for (std::size_t reader = 0; reader < pinned_.size(); ++reader) {
    const PinView pin = store_.workers()[reader].view();
    any = any || pin.is_pinned();
    switch (judge_.judge(reader, pin, now)) {
      case StallVerdict::kFine:
        break;
      case StallVerdict::kCancel:
        store_.workers()[reader].request_cancel(pin.sequence);
        break;
      case StallVerdict::kForceUnpin:
        force_unpin(reader, pin, now);
        break;
    }
    pinned_[reader] = pin.epoch;
    overridden_[reader] = judge_.is_overridden(reader, pin);
    if (overridden_[reader]) pool_.replace(reader, keep_alive);  // retried until a thread and a seat are available
  }
  metrics_.oldest_pinned_epoch.store(min_pinned(pinned_, overridden_));
  return any;
}

void StallWatch::force_unpin(std::size_t reader, const PinView& pin, MonoTime now) {
  ++metrics_.worker_stall_events;
  if (config_.log) {
    config_.log(LogLevel::kWarn, fmt::format("worker {} force-unpinned: it held epoch {} for {} ms", reader, pin.epoch,
                                             StallJudge::held(pin, now) / 1ms));
  }
  pool_.answer_stalled(reader, pin.sequence, ObsErrorKind::kWorkerStalled);
}

}  // namespace hyperscale::realtime
