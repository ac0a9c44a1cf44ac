#include "runtime/channel/async_event.h"

#include "base/check.h"
#include "concurrent/ranked_mutex.h"
#include "runtime/clock/clock.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

namespace hyperscale::runtime {

std::shared_ptr<AsyncEvent> AsyncEvent::create(const asio::any_io_executor& strand) {
  return std::shared_ptr<AsyncEvent>(new AsyncEvent(strand));
}

AsyncEvent::AsyncEvent(const asio::any_io_executor& strand) : timer_(strand) {}

concurrent::Waiter& AsyncEvent::arm() {
  CHECK(self_ == nullptr && !woken_, "an event serves one wait");
  self_ = shared_from_this();
  return *this;
}

void AsyncEvent::disarm() {
  self_.reset();
}

asio::awaitable<WaitEnd> AsyncEvent::wait_until(MonoTime deadline) {
  concurrent::assert_no_lock_held("AsyncEvent::wait_until");
  const auto keep = shared_from_this();
  const auto token = asio::as_tuple(asio::use_awaitable);
  timer_.expires_at(deadline == MonoTime::max() ? std::chrono::steady_clock::time_point::max() : to_steady(deadline));
  bool expired = false;
  while (!woken_ && !expired) {
    const auto [error] = co_await timer_.async_wait(token);
    // Before the wake-up: a cancelled coroutine cannot suspend again, so it must not go back to wait for more.
    const auto cancellation = co_await asio::this_coro::cancellation_state;
    if (cancellation.cancelled() != asio::cancellation_type::none) co_return WaitEnd::kCanceled;
    expired = !error;
  }
  co_return woken_ ? WaitEnd::kWoken : WaitEnd::kDeadline;
}

void AsyncEvent::wake() noexcept {
  // self_ belongs to the strand, so the posted handler holds its own reference.
  asio::post(timer_.get_executor(), [event = shared_from_this()] {
    event->woken_ = true;
    event->self_.reset();
    event->timer_.cancel();
  });
}

void throw_canceled() {
  throw boost::system::system_error(asio::error::operation_aborted);
}

}  // namespace hyperscale::runtime
