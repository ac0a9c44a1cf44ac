// Awaits an item of a BoundedQueue in a coroutine.
#pragma once

#include "concurrent/bounded_queue.h"
#include "runtime/channel/async_event.h"

#include <optional>
#include <utility>

#include <boost/asio/this_coro.hpp>

namespace hyperscale::runtime {

// The next item; empty once the queue is closed and empty. Throws when the calling task is aborted; no item is lost
// then.
template <typename T>
asio::awaitable<std::optional<T>> async_pop(concurrent::BoundedQueue<T>& queue) {
  const auto strand = co_await asio::this_coro::executor;
  for (;;) {
    std::optional<T> item;
    const auto event = AsyncEvent::create(strand);
    const auto result = queue.pop_or_wait(item, event->arm());
    if (result != concurrent::Pop::kWaiting) {
      event->disarm();
      co_return item;
    }
    const WaitEnd end = co_await event->wait_until(MonoTime::max());
    if (end == WaitEnd::kWoken) continue;
    if (queue.cancel_wait(*event))
      event->disarm();
    else
      queue.pass_on();
    throw_canceled();
  }
}

}  // namespace hyperscale::runtime
