#include "runtime/channel/bus.h"

#include "runtime/channel/async_event.h"
#include "runtime/log/log.h"
#include "runtime/metrics/metrics.h"

#include <boost/asio/this_coro.hpp>

namespace hyperscale::runtime {
namespace {

void catch_up(const BusListener& listener, std::uint64_t missed, Metrics& metrics, Log& log) {
  metrics.add(Counter::kBusLagged, listener.service, static_cast<double>(missed));
  log.warn("bus", "{} lagged and missed {} events; reconciling from a snapshot", listener.service, missed);
  try {
    listener.reconcile();
  } catch (const std::exception& error) {
    log.error("bus", "{} could not reconcile: {}", listener.service, error.what());
  }
}

}  // namespace

asio::awaitable<void> listen_to_bus(Bus::Receiver receiver, BusListener listener, Metrics& metrics, Log& log) {
  const auto strand = co_await asio::this_coro::executor;
  for (;;) {
    std::optional<BusEvent> event;
    const auto wakeup = AsyncEvent::create(strand);
    switch (receiver.recv_or_wait(event, wakeup->arm())) {
      case concurrent::Recv::kItem:
        wakeup->disarm();
        listener.on_event(*event);
        continue;
      case concurrent::Recv::kLagged:
        wakeup->disarm();
        catch_up(listener, receiver.lagged(), metrics, log);
        continue;
      case concurrent::Recv::kClosed:
        wakeup->disarm();
        co_return;
      case concurrent::Recv::kEmpty:
      case concurrent::Recv::kWaiting:
        break;
    }
    const WaitEnd end = co_await wakeup->wait_until(MonoTime::max());
    if (end == WaitEnd::kWoken) continue;
    if (receiver.cancel_wait(*wakeup)) wakeup->disarm();
    throw_canceled();
  }
}

}  // namespace hyperscale::runtime
