// OneShot: a value that is set once by a producer and awaited by one coroutine.
//
// The first set wins. Both sides hold it by shared_ptr, so either may be destroyed first. A producer without a value
// must set an error; see WorkItem, which does it in its destructor. Thread rule: any thread may set; one coroutine
// waits.
#pragma once

#include "concurrent/last_value.h"
#include "runtime/channel/async_event.h"

#include <atomic>
#include <optional>
#include <utility>

#include <boost/asio/this_coro.hpp>

namespace hyperscale::runtime {

template <typename T>
class OneShot {
 public:
  OneShot() : cell_(std::nullopt) {}

  bool set(T value) {
    if (taken_.exchange(true)) return false;
    cell_.set(std::optional<T>(std::move(value)));
    return true;
  }

  bool ready() const { return cell_.get().value.has_value(); }

  // The value, or nothing when the deadline passes first. Throws when the calling task is aborted.
  asio::awaitable<std::optional<T>> wait_until(MonoTime deadline) {
    const auto strand = co_await asio::this_coro::executor;
    const auto empty = cell_.get();
    if (empty.value) co_return empty.value;
    const auto event = AsyncEvent::create(strand);
    if (cell_.wait_changed(empty.version, event->arm())) {
      event->disarm();
      co_return cell_.get().value;
    }
    const WaitEnd end = co_await event->wait_until(deadline);
    if (end != WaitEnd::kWoken && cell_.cancel_wait(*event)) event->disarm();
    if (end == WaitEnd::kCanceled) throw_canceled();
    co_return cell_.get().value;
  }

 private:
  concurrent::LastValue<std::optional<T>> cell_;
  std::atomic<bool> taken_{false};
};

}  // namespace hyperscale::runtime
