#include "runtime/task/in_flight.h"

#include "runtime/channel/async_event.h"

#include <boost/asio/this_coro.hpp>

namespace hyperscale::runtime {

asio::awaitable<bool> InFlight::wait_idle(MonoTime deadline) const {
  const auto shared = shared_;
  const auto strand = co_await asio::this_coro::executor;
  for (;;) {
    const auto seen = shared->became_idle.get();
    if (shared->count == 0) co_return true;
    const auto event = AsyncEvent::create(strand);
    if (shared->became_idle.wait_changed(seen.version, event->arm())) {
      event->disarm();
      continue;
    }
    const WaitEnd end = co_await event->wait_until(deadline);
    if (end != WaitEnd::kWoken && shared->became_idle.cancel_wait(*event)) event->disarm();
    if (end == WaitEnd::kCanceled) throw_canceled();
    if (end == WaitEnd::kDeadline) co_return shared->count == 0;
  }
}

}  // namespace hyperscale::runtime
