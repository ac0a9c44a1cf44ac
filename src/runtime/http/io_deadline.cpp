#include "runtime/http/io_deadline.h"

#include <utility>

namespace hyperscale::runtime {

IoDeadline::IoDeadline(const boost::asio::any_io_executor& strand, std::function<void(std::string_view)> on_expired)
    : timer_(strand), on_expired_(std::move(on_expired)) {}

void IoDeadline::set(std::string_view op, Duration from_now) {
  op_ = op;
  at_ = Clock::now() + from_now;
  expired_ = false;
  if (at_ < armed_for_) arm();
}

void IoDeadline::clear() {
  at_ = Clock::time_point::max();
}

void IoDeadline::arm() {
  armed_for_ = at_;
  timer_.expires_at(at_);
  timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    if (error) return;  // re-armed or destroyed
    if (const auto self = weak.lock()) self->fired();
  });
}

void IoDeadline::fired() {
  armed_for_ = Clock::time_point::max();
  if (at_ == Clock::time_point::max()) return;
  if (Clock::now() < at_) {
    arm();
    return;
  }
  at_ = Clock::time_point::max();
  expired_ = true;
  on_expired_(op_);
}

}  // namespace hyperscale::runtime
