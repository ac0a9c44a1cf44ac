#include "runtime/task/errands.h"

#include "runtime/clock/clock.h"
#include "runtime/log/log.h"

#include <exception>
#include <utility>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

namespace hyperscale::runtime {
namespace {

constexpr Duration kCancelPatience = 1s;

}  // namespace

Errands::Errands(asio::any_io_executor strand, Log& log, std::string owner)
    : strand_(std::move(strand)), log_(log), owner_(std::move(owner)) {}

void Errands::run(asio::awaitable<void> errand) {
  if (finishing_) return;
  const auto cancel = cancel_.emplace(cancel_.end());
  auto ended = [self = shared_from_this(), cancel, guard = running_.enter()](const std::exception_ptr& failure) {
    self->cancel_.erase(cancel);
    if (!failure) return;
    try {
      std::rethrow_exception(failure);
    } catch (const boost::system::system_error& error) {
      const bool cancelled = self->finishing_ && error.code() == asio::error::operation_aborted;
      if (!cancelled) self->log_.error(self->owner_, "an errand failed: {}", error.what());
    } catch (const std::exception& error) {
      self->log_.error(self->owner_, "an errand failed: {}", error.what());
    } catch (...) {
      self->log_.error(self->owner_, "an errand threw something that is not an exception");
    }
  };
  asio::co_spawn(strand_, std::move(errand), asio::bind_cancellation_slot(cancel->slot(), std::move(ended)));
}

asio::awaitable<bool> Errands::finish(MonoTime deadline) {
  const auto keep = shared_from_this();
  finishing_ = true;
  const bool ended = co_await running_.wait_idle(deadline);
  if (ended) co_return true;
  for (auto each = cancel_.begin(); each != cancel_.end();) {
    asio::cancellation_signal& cancel = *each++;  // it may end, and be erased, at once
    cancel.emit(asio::cancellation_type::terminal);
  }
  const MonoTime last = mono_now() + kCancelPatience;
  co_return co_await running_.wait_idle(last);
}

}  // namespace hyperscale::runtime
