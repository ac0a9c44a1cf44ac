#include "runtime/task/stop_signal.h"

#include "runtime/channel/async_event.h"

#include <boost/asio/this_coro.hpp>

namespace hyperscale::runtime {

asio::awaitable<bool> StopToken::wait_until(MonoTime deadline) const {
  const auto cell = cell_;
  const auto strand = co_await asio::this_coro::executor;
  const auto seen = cell->get();
  if (seen.value) co_return true;
  const auto event = AsyncEvent::create(strand);
  if (cell->wait_changed(seen.version, event->arm())) {
    event->disarm();
    co_return true;
  }
  const WaitEnd end = co_await event->wait_until(deadline);
  if (end != WaitEnd::kWoken && cell->cancel_wait(*event)) event->disarm();
  if (end == WaitEnd::kCanceled) throw_canceled();
  co_return cell->get().value;
}

asio::awaitable<void> StopToken::wait() const {
  const auto token = *this;
  while (!co_await token.wait_until(MonoTime::max())) {
  }
}

}  // namespace hyperscale::runtime
