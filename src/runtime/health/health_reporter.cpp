#include "runtime/health/health_reporter.h"

#include "runtime/clock/clock.h"

#include <utility>

namespace hyperscale::runtime {

HealthReporter::HealthReporter(const Supervisor& supervisor, ReadinessBoard& board, Bus& bus,
                               std::function<Duration()> period)
    : supervisor_(supervisor), board_(board), bus_(bus), period_(std::move(period)) {}

asio::awaitable<void> HealthReporter::run(StopToken stop) {
  for (;;) {
    const auto services = supervisor_.services(mono_now());
    board_.update(services);
    for (const ServiceStatus& service : services) {
      bus_.publish(HealthEvent{service.name, service.state == ServiceState::kReady});
    }
    const MonoTime next = mono_now() + period_();
    const bool stopped = co_await stop.wait_until(next);
    if (stopped) co_return;
  }
}

void HealthReporter::refresh() {
  board_.update(supervisor_.services(mono_now()));
}

}  // namespace hyperscale::runtime
