// Errands: short-lived coroutines of a supervised task, such as one request to another node. Each is counted while it
// runs, its exceptions are logged, and none outlives its task: finish() waits for them and cancels those that do not
// end.
//
//   errands->run(ask(member));                       // while the task goes on
//   co_await errands->finish(mono_now() + 1s);       // before it ends
//
// Life: a shared_ptr. Thread rule: the strand given, on which the coroutines run too; running() from any thread.
// Failure: an exception of an errand is logged and ends that errand only.
#pragma once

#include "base/time.h"
#include "runtime/task/in_flight.h"

#include <cstddef>
#include <list>
#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>

namespace hyperscale::runtime {

class Log;

class Errands : public std::enable_shared_from_this<Errands> {
 public:
  Errands(asio::any_io_executor strand, Log& log, std::string owner);

  // After finish() began it is dropped unstarted. The owner limits their number.
  void run(asio::awaitable<void> errand);
  std::size_t running() const { return running_.count(); }
  // The owner has closed what they wait for. Those that still run at the deadline are cancelled at their next wait.
  // False: some run even after that.
  asio::awaitable<bool> finish(MonoTime deadline);

 private:
  asio::any_io_executor strand_;
  Log& log_;
  const std::string owner_;
  std::list<asio::cancellation_signal> cancel_;  // of those that run
  InFlight running_;
  bool finishing_ = false;
};

}  // namespace hyperscale::runtime
