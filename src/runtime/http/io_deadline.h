// IoDeadline: the time limit of one direction of a connection. When it passes, it counts the timeout and breaks the
// operation by cancelling the socket's waits; the operation then finds expired() set.
//
// Moving the limit is nearly free: the timer underneath is only touched when the new limit is earlier than the armed
// one. Thread rule: the strand of the connection. Owned by the stream whose operations it limits.
#pragma once

#include "base/time.h"

#include <functional>
#include <memory>
#include <string_view>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hyperscale::runtime {

class IoDeadline : public std::enable_shared_from_this<IoDeadline> {
 public:
  // `on_expired` gets the name of the operation, as given to set().
  IoDeadline(const boost::asio::any_io_executor& strand, std::function<void(std::string_view)> on_expired);

  // Replaces the limit that was set before. `op` must be a literal.
  void set(std::string_view op, Duration from_now);
  void clear();
  bool expired() const { return expired_; }

 private:
  using Clock = std::chrono::steady_clock;
  void arm();
  void fired();

  boost::asio::steady_timer timer_;
  std::function<void(std::string_view)> on_expired_;
  std::string_view op_;
  Clock::time_point at_ = Clock::time_point::max();
  Clock::time_point armed_for_ = Clock::time_point::max();
  bool expired_ = false;
};

}  // namespace hyperscale::runtime
