// StopSignal: stops every task of a node. It is a level with a version, not an edge: a task that reads or subscribes
// after the signal was raised still sees it.
// Thread rule: any thread.
#pragma once

#include "base/time.h"
#include "concurrent/last_value.h"

#include <memory>

#include <boost/asio/awaitable.hpp>

namespace hyperscale::runtime {

namespace asio = boost::asio;

class StopToken {
 public:
  bool requested() const { return cell_->get().value; }
  // True once stop was requested; false when the deadline passes first. Throws when the calling task is aborted.
  asio::awaitable<bool> wait_until(MonoTime deadline) const;
  asio::awaitable<void> wait() const;

 private:
  friend class StopSignal;
  explicit StopToken(std::shared_ptr<concurrent::LastValue<bool>> cell) : cell_(std::move(cell)) {}
  std::shared_ptr<concurrent::LastValue<bool>> cell_;
};

class StopSignal {
 public:
  StopSignal() : cell_(std::make_shared<concurrent::LastValue<bool>>(false)) {}
  void request() { cell_->set(true); }
  StopToken token() const { return StopToken(cell_); }

 private:
  std::shared_ptr<concurrent::LastValue<bool>> cell_;
};

}  // namespace hyperscale::runtime
