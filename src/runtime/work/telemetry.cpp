#include "runtime/work/telemetry.h"

#include "base/duration_text.h"
#include "runtime/channel/async_queue.h"
#include "runtime/log/log.h"

#include <algorithm>

namespace hyperscale::runtime {

asio::awaitable<void> TelemetrySink::run(TelemetryQueue& queue, Log& log) {
  for (;;) {
    const auto event = co_await async_pop(queue);
    if (!event) co_return;
    log.debug("work", "{} {} in {}", event->job, event->ok ? "done" : "failed", format_duration(event->elapsed));
    const concurrent::RankedLock lock(mutex_);
    JobFigures& figures = figures_[event->job];
    ++(event->ok ? figures.done : figures.failed);
    figures.longest = std::max(figures.longest, event->elapsed);
  }
}

std::map<std::string, JobFigures> TelemetrySink::figures() const {
  const concurrent::RankedLock lock(mutex_);
  return figures_;
}

}  // namespace hyperscale::runtime
