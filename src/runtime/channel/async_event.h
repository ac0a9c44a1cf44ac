// AsyncEvent: lets a coroutine wait for a channel of src/concurrent, for a deadline, or to be cancelled, whichever is
// first.
//
// One event serves one wait. Arm it, register it with a channel, wait; if the wait did not end by a wake-up, take it
// out of the channel again (cancel_wait) and disarm it. While armed it keeps itself alive, so a concurrent wake-up from
// another thread never reaches a destroyed event. Thread rule: wake() from any thread; everything else on the strand
// given at construction, which every coroutine of this runtime runs on.
#pragma once

#include "base/time.h"
#include "concurrent/waiter.h"

#include <memory>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hyperscale::runtime {

namespace asio = boost::asio;

enum class WaitEnd { kWoken, kDeadline, kCanceled };

class AsyncEvent final : public concurrent::Waiter, public std::enable_shared_from_this<AsyncEvent> {
 public:
  static std::shared_ptr<AsyncEvent> create(const asio::any_io_executor& strand);

  concurrent::Waiter& arm();
  // REQUIRES: no channel holds the event any more.
  void disarm();

  // Cancellation takes precedence over a simultaneous wake-up: the owner then passes the wake-up on and returns.
  asio::awaitable<WaitEnd> wait_until(MonoTime deadline);

  void wake() noexcept override;

 private:
  explicit AsyncEvent(const asio::any_io_executor& strand);

  asio::steady_timer timer_;
  std::shared_ptr<AsyncEvent> self_;
  bool woken_ = false;
};

// Ends the calling coroutine as cancelled.
[[noreturn]] void throw_canceled();

}  // namespace hyperscale::runtime
